"""Keys, signatures and authorities."""
