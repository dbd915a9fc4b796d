"""A small Antelope client: keys, signatures, a node's HTTP API, and what the contract's tables and blocks hold."""
