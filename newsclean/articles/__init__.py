"""Is this page an article at all, and does this link lead to one?"""

from newsclean.articles.judgement import Judgement, judge
from newsclean.articles.link_target import LIKELY, SURELY_NOT, article_likelihood

__all__ = ["LIKELY", "SURELY_NOT", "Judgement", "article_likelihood", "judge"]
