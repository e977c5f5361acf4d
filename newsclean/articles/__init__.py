"""Is this page an article at all?"""

from newsclean.articles.judgement import Judgement, judge

__all__ = ["Judgement", "judge"]
