"""Which addresses may be fetched: names are resolved once, and inner addresses are refused."""

from __future__ import annotations

import pytest

from passer.adapters.web import WebFetcher, is_public
from passer.errors import DocumentError
from tests.web_site import LOCAL, Site, url

OUTSIDE = "93.184.216.34"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ftp://example.org/a.txt", "begins with http:// or https://"),
        ("file:///etc/passwd", "begins with http:// or https://"),
        ("not an address", "begins with http:// or https://"),
        ("http://", "begins with http:// or https://"),
        ("http://[::1", "begins with http:// or https://"),
        ("http://xn--/", "begins with http:// or https://"),
        ("http://xn--a\u00e4/", "begins with http:// or https://"),
        ("http://user:word@example.org/", "contains a password"),
        ("http://127.0.0.1/", "is a private or local address"),
        ("http://2130706433/", "is a private or local address"),
        ("http://0x7f.1/", "is a private or local address"),
        ("http://[::1]/", "is a private or local address"),
        ("http://[::ffff:127.0.0.1]/", "is a private or local address"),
        ("http://169.254.169.254/latest/meta-data", "is a private or local address"),
        ("http://localhost/", "is a private or local address"),
    ],
)
def test_an_address_that_leads_inside_or_nowhere_is_refused(address: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        WebFetcher().fetch(address)


def test_an_unknown_host_is_said_so() -> None:
    def nobody(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(DocumentError, match=r"There is no host nowhere\.example"):
        WebFetcher(resolver=nobody).fetch("http://nowhere.example/")


def test_a_host_with_one_inner_address_is_refused() -> None:
    with pytest.raises(DocumentError, match="private or local"):
        WebFetcher(resolver=lambda host, port: [OUTSIDE, "10.0.0.7"]).fetch("http://two.example/")


class Names:
    """A resolver that is asked, and what it was asked for."""

    def __init__(self, **addresses: list[str]) -> None:
        self.addresses = {name.replace("_", "."): found for name, found in addresses.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return [self.addresses[host].pop(0)]


def test_a_redirect_to_an_inner_host_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own server passes for a public one; what it redirects to does not."""
    site.inside = url(site, "/rules.html", "inner.example")
    monkeypatch.setattr("passer.adapters.web.is_public", lambda ip: ip == LOCAL)
    names = Names(outer_example=[LOCAL], inner_example=["10.0.0.7"])
    with pytest.raises(DocumentError, match=r"^inner\.example is a private or local address"):
        WebFetcher(resolver=names).fetch(url(site, "/inside", "outer.example"))
    assert names.asked == ["outer.example", "inner.example"]
    assert [path for _, path in site.seen] == ["/inside"]


def test_the_checked_address_is_the_one_connected_to(site: Site) -> None:
    """A name is resolved once for each hop: a second answer would never be seen. The host keeps its name."""
    names = Names(site_example=[LOCAL])
    fetcher = WebFetcher(resolver=names, allow_private=True)
    assert fetcher.fetch(url(site, "/rules.html", "site.example"))[1] == b"<p>Rules</p>"
    assert names.asked == ["site.example"]
    assert site.seen == [(f"site.example:{site.server_address[1]}", "/rules.html")]


def test_the_next_address_is_tried_when_one_does_not_answer(site: Site) -> None:
    fetcher = WebFetcher(resolver=lambda host, port: ["127.0.0.2", LOCAL], allow_private=True)
    assert fetcher.fetch(url(site, "/rules.html", "site.example"))[0] == "rules.html"


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "192.168.1.1"),
        *("192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::7f00:1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
        *("2001:db8::1", "2002:7f00:1::", "64:ff9b::7f00:1", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    ],
)
def test_inner_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [OUTSIDE, "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)
