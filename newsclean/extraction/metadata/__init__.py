"""What a page says about its article: headline, authors, dates, language and more.

`PageMetadata` asks for elements by tag and looks at each once; it neither parses, searches nor
changes the tree.
"""
