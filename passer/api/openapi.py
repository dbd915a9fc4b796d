"""Prints the OpenAPI description, from which the browser's client is generated: `python -m passer.api.openapi`."""

from __future__ import annotations

import json
import sys

from passer.api.app import create_app


def main() -> None:
    """Write it to stdout, the same bytes each time."""
    json.dump(create_app(None).openapi(), sys.stdout, indent=2, sort_keys=True, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
