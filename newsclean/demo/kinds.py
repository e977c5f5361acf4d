"""What a page of the demo is: the truth against which a crawl is counted."""

from enum import StrEnum


class Kind(StrEnum):
    ARTICLE = "article"
    SECTION = "section"
    HOME = "home"
    TOPIC = "topic"
    AUTHOR = "author"
    GALLERY = "gallery"
    VIDEO = "video"
    SHOP = "shop"
    SUBSCRIPTION = "subscription"
    LOGIN = "log-in"
    #: the beginning of a story, and then the request to log in
    WALL = "log-in wall"
    ABOUT = "about"
    SEARCH = "search"
    #: an article under a second address
    COPY = "copy"
    FILE = "file"
    EMPTY = "empty"
    MISSING = "missing"
