"""Everything that PaSSER keeps, as one file, and back again."""
