"""Answering times, on one machine and on two."""
