"""How good is it? Measures against gold texts."""

from newsclean.lab.evaluate.measures import Agreement, word_bag_agreement

__all__ = ["Agreement", "word_bag_agreement"]
