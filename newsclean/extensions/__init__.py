"""Extensions: what accompanies a whole crawl."""
