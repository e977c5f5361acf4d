"""Page in, article out: everything that works without Scrapy and without a memory."""
