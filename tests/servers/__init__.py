"""Real servers for tests: PostgreSQL and Redis, each on a free port of this machine."""
