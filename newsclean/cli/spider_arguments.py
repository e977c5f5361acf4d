"""The arguments of commands that run the spider `news`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.cli.errors import USAGE, CommandError

if TYPE_CHECKING:
    import argparse


def add_spider_arguments(parser: argparse.ArgumentParser) -> None:
    """What the spider and Scrapy are given, and the memory."""
    parser.add_argument(
        "-a", dest="arguments", metavar="NAME=VALUE", action="append", default=[],
        help="an argument of the spider `news`, like pages=2",
    )  # fmt: skip
    parser.add_argument(
        "-s", dest="settings", metavar="NAME=VALUE", action="append", default=[],
        help="a setting of Scrapy's or of newsclean's",
    )  # fmt: skip
    parser.add_argument(
        "--memory", metavar="FILE", help="another memory: a file, or postgresql://…"
    )


def spider_arguments(options: argparse.Namespace) -> dict[str, str]:
    """The arguments of `-a`; what is crawled is not among them."""
    arguments = assignments("-a", options.arguments)
    for name in ("url", "site"):
        if name in arguments:
            raise CommandError(f"-a {name}=: name URLs without -a, and site files as well", USAGE)
    return arguments


def spider_settings(options: argparse.Namespace) -> dict[str, str]:
    """The settings of `-s` and `--memory`."""
    settings = assignments("-s", options.settings)
    if options.memory:
        settings["NEWSCLEAN_MEMORY"] = options.memory
    return settings


def assignments(option: str, given: list[str]) -> dict[str, str]:
    """The names and values of an option that takes `NAME=VALUE`.

    >>> assignments("-s", ["DOWNLOAD_DELAY=3"])
    {'DOWNLOAD_DELAY': '3'}
    """
    pairs = [text.partition("=") for text in given]
    for name, sign, value in pairs:
        if not name or not sign:
            raise CommandError(f"{option} {name}{sign}{value}: it takes NAME=VALUE", USAGE)
    return {name: value for name, _, value in pairs}
