"""Work on several machines: archives on Spark, and a queue of sites to crawl."""
