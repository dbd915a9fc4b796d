"""A study: a whole sweep as one file, with everything that its tables and its verdict follow from."""
