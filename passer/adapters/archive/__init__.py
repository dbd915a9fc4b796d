"""Backup and restore of everything that PaSSER stores in its home folder."""
