"""Readers and writers of table files, by suffix."""
