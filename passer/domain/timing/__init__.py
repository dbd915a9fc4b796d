"""How long answering takes, on one machine and on two."""
