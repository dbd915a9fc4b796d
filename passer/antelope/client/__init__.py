"""A node's HTTP API and one contract on it."""
