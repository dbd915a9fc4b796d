"""The description of the HTTP interface (OpenAPI), and the page that shows it."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi.responses import HTMLResponse

PROBLEMS: dict[int, str] = {
    400: "The request cannot be read",
    401: "Nobody is signed in",
    403: "The caller may not do this, or the page of another site asked",
    404: "There is no such thing",
    409: "It exists already, or its state does not allow this",
    413: "The upload or the request is too large",
    421: "The server does not answer under this host name",
    422: "A value is not valid; `errors` names the fields or rows",
    429: "Too many attempts to sign in",
    500: "An unexpected error, which the server's log describes",
    502: "A model server failed",
    503: "A part is not available, or too many requests wait",
}
"""Statuses of refusals, the same for every operation: each is a problem document (RFC 9457)."""
_MEDIA = "application/problem+json"


def described(description: dict[str, Any]) -> dict[str, Any]:
    """Return a description with one schema for each model, and problems as the server sends them."""
    merged = _merged(description)
    schemas = merged["components"]["schemas"]
    problem = next(name for name in schemas if name.endswith("Problem") and "detail" in schemas[name]["properties"])
    content = {_MEDIA: {"schema": {"$ref": f"#/components/schemas/{problem}"}}}
    answers = {f"Problem{status}": {"description": text, "content": content} for status, text in PROBLEMS.items()}
    merged["components"]["responses"] = answers
    refused = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in PROBLEMS}
    for path in merged["paths"].values():
        for operation in path.values():
            own = {status: each for status, each in operation["responses"].items() if status != "4XX"}
            operation["responses"] = {**refused, **own}
    return merged


def _merged(description: dict[str, Any]) -> dict[str, Any]:
    """Merge the two schemas of models that contain themselves, such as a retriever that combines retrievers.

    FastAPI asks for separate schemas only where something is computed, but pydantic cannot see that two schemas which
    refer to themselves are equal, and names one `-Input` and the other `-Output`.
    """
    twice = [name.removesuffix("-Input") for name in description["components"]["schemas"] if name.endswith("-Input")]
    if not twice:
        return description
    named = re.compile(rf'"((?:#/components/schemas/)?(?:{"|".join(twice)}))-(?:Input|Output)"')
    merged: dict[str, Any] = json.loads(named.sub(r'"\1"', json.dumps(description)))
    return merged


def described_page(description: dict[str, Any]) -> HTMLResponse:
    """Return the API description as a page that needs neither scripts nor files from other servers."""
    from jinja2 import Environment, PackageLoader, Undefined

    environment = Environment(loader=PackageLoader("passer"), autoescape=True, undefined=Undefined)
    environment.filters["type"] = _type_of
    return HTMLResponse(environment.get_template("api.html.j2").render(api=description))


def _type_of(schema: dict[str, Any]) -> str:
    """Return a schema in a few words, such as `array of Run`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " or ".join(dict.fromkeys(_type_of(each) for each in several))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"array of {_type_of(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "any value")
