"""Places where people sign in without a password: at an identity provider, or with a wallet."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.settings import Settings
from tests.oidc_provider import CLIENT_ID, CLIENT_SECRET, OidcProvider

PASSWORD = "correct horse battery"
BASE = "http://127.0.0.1:8000"
START, REPLY = "/api/v1/session/provider", "/api/v1/session/provider/reply"


class Place:
    """A PaSSER with the administrator boss."""

    def __init__(self, services: Services) -> None:
        self.services, self.app = services, create_app(services)
        services.accounts.add("boss", role="admin", password=PASSWORD)

    def browser(self) -> TestClient:
        return TestClient(self.app, base_url=BASE)

    def signed_in(self, name: str) -> TestClient:
        client = self.browser()
        made = client.post("/api/v1/session", json={"name": name, "password": PASSWORD})
        client.headers["x-csrf-token"] = made.json()["csrf"]
        return client

    def rows(self) -> list[tuple[str, str | None, str]]:
        """Operation, account and outcome of the activity log, the newest first."""
        found = self.signed_in("boss").get("/api/v1/activity").json()["items"]
        return [(each["operation"], each["account"], each["outcome"]) for each in found]


def placed(tmp_path: Any, provider: OidcProvider, **changes: Any) -> Place:
    """Its people come from the provider."""
    given = {"oidc_client_id": CLIENT_ID, "oidc_client_secret": CLIENT_SECRET, "oidc_newcomers": "viewer", **changes}
    services = build_services(Settings(home=tmp_path, encoder="none", oidc_issuer=provider.issuer, **given))
    return Place(services)


def begun(browser: TestClient, next_page: str = "/", **more: Any) -> dict[str, str]:
    """What the provider sends the browser back with."""
    made = browser.post(START, json={"next": next_page, **more})
    assert made.status_code == 201, made.text
    came = httpx.get(made.json()["url"])
    back = urlsplit(came.headers["location"])
    assert (came.status_code, f"{back.scheme}://{back.netloc}{back.path}") == (302, f"{BASE}/sign-in")
    return {name: value[0] for name, value in parse_qs(back.query).items()}


def came_back(browser: TestClient, **more: Any) -> Any:
    return browser.post(REPLY, json=begun(browser, **more))
