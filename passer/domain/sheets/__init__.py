"""Result sheets of earlier PaSSER versions: reading, audit, and analysis by named procedures."""
