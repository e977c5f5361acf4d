"""Optional applications: each may import the rest of newsclean, and nothing else imports them."""
