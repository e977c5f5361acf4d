"""What the demo's stories are about: one module a topic, and the words that all of them share."""

from newsclean.demo.topics.business import BUSINESS
from newsclean.demo.topics.culture import CULTURE
from newsclean.demo.topics.local import LOCAL
from newsclean.demo.topics.politics import POLITICS
from newsclean.demo.topics.science import SCIENCE
from newsclean.demo.topics.sport import SPORT
from newsclean.demo.topics.topic import Angle, Topic

__all__ = ["BUSINESS", "CULTURE", "LOCAL", "POLITICS", "SCIENCE", "SPORT", "Angle", "Topic"]
