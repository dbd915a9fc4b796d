"""Failure stages of questions, found by code alone."""
