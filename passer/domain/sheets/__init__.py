"""Result sheets of earlier PaSSER versions: read, audited, and taken through both procedures."""
