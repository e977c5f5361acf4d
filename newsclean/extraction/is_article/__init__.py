"""Is this page an article, and does this link lead to one?"""

from newsclean.extraction.is_article.link_target import LIKELY, SURELY_NOT, article_likelihood
from newsclean.extraction.is_article.page_features import is_live_blog, page_features, page_words
from newsclean.extraction.is_article.prediction import NO_ARTICLE, Prediction, predict

__all__ = [
    "LIKELY",
    "NO_ARTICLE",
    "SURELY_NOT",
    "Prediction",
    "article_likelihood",
    "is_live_blog",
    "page_features",
    "page_words",
    "predict",
]
