"""Judging: items, recipes that say what to ask about them, judgements, marks and labels."""
