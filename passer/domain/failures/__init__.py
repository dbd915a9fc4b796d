"""Where questions failed, by code alone."""
