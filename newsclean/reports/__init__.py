"""What a run has brought from each site, whether that is as usual, and who is told."""
