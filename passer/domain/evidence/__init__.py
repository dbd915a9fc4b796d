"""Tests of gains: corrections, profiles, half splits, sensitivity."""
