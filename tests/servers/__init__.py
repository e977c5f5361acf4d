"""Real servers for tests: PostgreSQL, on a free port of this machine."""
