"""How an Antelope chain writes things down: names, packed bytes, transactions, proofs. Arithmetic alone, no keys."""
