"""What goes along with a whole crawl."""
