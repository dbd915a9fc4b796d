"""Reports as data: what a reader is told, with the tables and figures behind it."""
