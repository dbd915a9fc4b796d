"""Values that a ledger records, and the bytes of an Antelope chain."""
