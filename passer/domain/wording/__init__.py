"""Messages: templates by code and language, and sentences that keep their code and values."""
