"""Is this page an article at all, and does this link lead to one?"""

from newsclean.extraction.is_article.judgement import NO_ARTICLE, Judgement, judge
from newsclean.extraction.is_article.link_target import LIKELY, SURELY_NOT, article_likelihood
from newsclean.extraction.is_article.page_features import page_features
from newsclean.extraction.is_article.page_wording import is_live_blog, page_words

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
