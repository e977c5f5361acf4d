"""Is this page an article at all, and does this link lead to one?"""

from newsclean.articles.judgement import NO_ARTICLE, Judgement, judge
from newsclean.articles.link_target import LIKELY, SURELY_NOT, article_likelihood
from newsclean.articles.live_blog import is_live_blog
from newsclean.articles.page_features import page_features
from newsclean.articles.page_words import page_words

__all__ = [
    "LIKELY",
    "NO_ARTICLE",
    "SURELY_NOT",
    "Judgement",
    "article_likelihood",
    "is_live_blog",
    "judge",
    "page_features",
    "page_words",
]
