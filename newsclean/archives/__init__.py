"""Saved pages: in WARC and WACZ files, and in folders.

Two passes. `archive_index` finds out where the pages are. Parking pages until their neighbors come,
as a crawl does, would copy most of an archive into the memory, because records of many sites are
mixed; a record, unlike a page of the web, can be read whenever it is needed. Then

- the spider `archive` reads the pages site by site, some of them ahead (`read_ahead`): each is read
  once, and has neighbors before and after it, whatever the order of the records;
- `newsclean extract` keeps the order of its input and divides it among processes: it first learns
  what each site repeats, and then extracts (`extracting`).

`cc_news` brings pages of Common Crawl's news archives into such files.
"""
