"""A small news world of the project's own, served on local ports, that knows each article's gold.

>>> with DemoServer(seed=7) as server:
...     [publisher.name for publisher in server.publishers]
['The Harbor Ledger', 'Oldbridge Gazette']
"""

from newsclean.demo.server import DemoServer
from newsclean.demo.world import DemoArticle, Publisher, Section

__all__ = ["DemoArticle", "DemoServer", "Publisher", "Section"]
