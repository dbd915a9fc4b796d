"""Judging: items, recipes with the questions to the judge, judgements, marks and labels."""
