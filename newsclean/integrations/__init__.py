"""What connects newsclean with other packages of the Scrapy world; each needs an extra."""
