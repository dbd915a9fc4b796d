"""Keys and signatures: vectors of the public WharfKit and eosjs tests, and nothing that shows a private key."""

from __future__ import annotations

import copy
import hashlib
import json
import logging
import os
import pickle
import stat
import traceback
from pathlib import Path

import coincurve
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from passer.antelope.signing.keys import PrivateKey, PublicKey, is_canonical, key_from_file, key_from_value
from passer.antelope.signing.signatures import Signature, packed_signature, sign
from passer.errors import ConfigError, InputError
from tests.antelope.legacy import legacy_private_text

# Published test keys: nobody's money or name rests on them.
WIF = "5KQvfsPJ9YvGuVbLRLXVWPNubed6FWvV8yax6cNSJEzB4co3zFu"
PVT = "PVT_K1_2be6BwD56MHeVD4P95bRLdnP3oB3P4QRAXAsSKh4N8Xu6d4Aux"
SECRET = "d25968ebfce6e617bdb839b5a66cfc1fdd051d79a91094f7baceded449f84333"
PUB = "PUB_K1_6RrvujLQN1x5Tacbep1KAk8zzKpSThAQXBCKYFfGUYeACcSRFs"
EOS = "EOS6RrvujLQN1x5Tacbep1KAk8zzKpSThAQXBCKYFfGUYeABhJRin"
R1 = "PUB_R1_8E46r5HiQF84o6V8MWQQg1vPpgfjYA4XDqT6xbtaaebxw7XbLu"


def key(text: str = WIF) -> PrivateKey:
    return PrivateKey(SecretStr(text))


@pytest.mark.parametrize("text", [WIF, PVT, f"  {PVT}\n"])
def test_a_private_key_in_every_form(text: str) -> None:
    found = key(text)
    assert (found.public.text, found.public.legacy_text) == (PUB, EOS)
    assert found.reveal().get_secret_value() == PVT
    assert legacy_private_text(found).get_secret_value() == WIF


@pytest.mark.parametrize(
    ("private", "legacy", "public"),
    [
        (
            "5Juww5SS6aLWxopXBAWzwqrwadiZKz7XpKAiktXTKcfBGi1DWg8",
            "EOS7tgwU6E7pAUQJgqEJt66Yi8cWvanTUW8ZfBjeXeJBQvhTU9ypi",
            "PUB_K1_7tgwU6E7pAUQJgqEJt66Yi8cWvanTUW8ZfBjeXeJBQvhYTBFvY",
        ),
        (
            "5JnHjSFwe4r7xyqAUAaVs51G7HmzE86DWGa3VAA5VvQriGYnSUr",
            "EOS8VaY5CiTexYqgQZyPTJkc3qvWuZUi12QrZL9ssjqW2es6aQk2F",
            "PUB_K1_8VaY5CiTexYqgQZyPTJkc3qvWuZUi12QrZL9ssjqW2es7e7bRJ",
        ),
        (
            "5J4zo6Af9QnAeJmNEQeAR4MNhaG7SKVReAYgZC8655hpkbbBscr",
            "EOS87DUhBcZrLhyFfBVDyu1iWZJUGURqbk6CQxwv5g6iWUCy9dCUJ",
            "PUB_K1_87DUhBcZrLhyFfBVDyu1iWZJUGURqbk6CQxwv5g6iWUD2X45Hv",
        ),
    ],
)
def test_public_from_private(private: str, legacy: str, public: str) -> None:
    assert key(private).public == PublicKey.read(legacy) == PublicKey.read(public)
    assert (PublicKey.read(public).legacy_text, PublicKey.read(legacy).text) == (legacy, public)


def test_bytes_of_a_public_key() -> None:
    found = PublicKey.read(PUB)
    assert found.data.hex() == "02caee1a02910b18dfd5d9db0e8a4bc90f8dd34cedbbfb00c6c841a2abb2fa28cc"
    assert found.packed == b"\0" + found.data
    assert str(found) == PUB


def test_an_r1_key_is_read_but_has_no_legacy_form() -> None:
    found = PublicKey.read(R1)
    assert (found.kind, found.text, found.packed[0]) == ("R1", R1, 1)
    with pytest.raises(InputError, match="PUB_R1_"):
        _ = found.legacy_text


@pytest.mark.parametrize(
    "text", ["", "EOS", "EOS1", f"{EOS[:-1]}o", f"{PUB[:-1]}t", PUB.replace("K1", "R1"), "PUB_K1_", PVT]
)
def test_no_public_key(text: str) -> None:
    with pytest.raises(InputError) as raised:
        PublicKey.read(text)
    assert "public key" in raised.value.message


def test_a_point_off_the_curve_is_no_key() -> None:
    with pytest.raises(InputError):
        PublicKey.read(PublicKey("K1", b"\x02" + b"\xff" * 32).text)


@pytest.mark.parametrize("text", ["", "x", f"{WIF[:-1]}x", f"{PVT[:-1]}z", PUB, EOS, SECRET, PVT.replace("K1", "R1")])
def test_no_private_key(text: str) -> None:
    with pytest.raises(ConfigError) as raised:
        key(text)
    assert not text or text not in raised.value.message


def test_the_zero_key_is_none() -> None:
    from passer.antelope.format.base58 import sealed

    with pytest.raises(ConfigError):
        key(f"PVT_K1_{sealed(bytes(32), 'K1')}")


def test_new_keys_differ() -> None:
    assert PrivateKey.generate().public != PrivateKey.generate().public


def shows_secret(text: str) -> bool:
    """Whether a text holds a private key in any of its written forms, whole or its middle."""
    forms = [WIF, PVT, PVT[7:], SECRET, SECRET.upper(), str(int(SECRET, 16)), repr(bytes.fromhex(SECRET))[2:-1]]
    return any(form in text or form[8:-8] in text for form in forms)


def test_nothing_shows_the_key(caplog: pytest.LogCaptureFixture) -> None:
    found = key()
    assert shows_secret(f"x {PVT}")
    for text in (repr(found), str(found), f"{found}", repr([found]), repr({"key": found}), str(found.reveal())):
        assert not shows_secret(text)
    assert not hasattr(found, "__dict__")
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy, json.dumps):
        with pytest.raises(TypeError) as raised:
            attempt(found)
        assert not shows_secret(str(raised.value))
    logging.getLogger("passer").warning("the key is %s, %r", found, found)
    assert "PrivateKey(of PUB_K1_" in caplog.text
    assert not shows_secret(caplog.text)


@pytest.mark.parametrize("text", [f"{WIF}x", f"{PVT}x", WIF[:-1], f"{PVT[:-1]}z", SECRET])
def test_no_traceback_shows_a_misspelt_key(text: str) -> None:
    """Not even one that prints what every frame holds."""
    with pytest.raises(ConfigError) as raised:
        PrivateKey(SecretStr(text))
    frames = traceback.walk_tb(raised.tb.tb_next)
    stack = traceback.StackSummary.extract(frames, capture_locals=True).format()
    shown = "".join((*stack, *traceback.format_exception_only(raised.value)))
    assert "secret = SecretStr" in shown
    assert not shows_secret(shown)
    assert text[8:-8] not in shown


def key_file(folder: Path, *, mode: int, text: str = PVT) -> Path:
    path = folder / "key"
    path.write_text(f"{text}\n")
    path.chmod(mode)
    return path


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_file(tmp_path: Path, mode: int) -> None:
    assert key_from_file(key_file(tmp_path, mode=mode)).public.text == PUB
    assert key_from_value(SecretStr(WIF)).public.text == PUB


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o610, 0o602])
def test_a_key_file_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = key_file(tmp_path, mode=mode)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    with pytest.raises(ConfigError, match=f"chmod 600 {path}") as raised:
        key_from_file(path)
    assert not shows_secret(raised.value.message)


def test_what_is_no_key_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for path in (tmp_path / "absent", tmp_path, pipe):
        with pytest.raises(ConfigError, match=str(path)):
            key_from_file(path)
    with pytest.raises(ConfigError, match="not a private key") as raised:
        key_from_file(key_file(tmp_path, mode=0o600, text=f"{PVT[:-1]}z"))
    assert not shows_secret("".join(traceback.format_exception(raised.value)))


@given(st.binary(min_size=32, max_size=32))
def test_signatures_are_canonical_and_name_their_key(digest: bytes) -> None:
    found = sign(digest, key())
    assert found.canonical
    assert found.recover(digest) == key().public
    assert Signature.read(found.text) == found == sign(digest, key())
    assert packed_signature(found.text) == found.packed == b"\0" + found.data
    assert found.recover(hashlib.sha256(digest).digest()) != key().public


def test_another_library_takes_the_signature() -> None:
    """`cryptography` checks r and s over the same digest by itself."""
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256

    digest = hashlib.sha256(b"some text").digest()
    found = sign(digest, key())
    r, s = (int.from_bytes(found.data[start : start + 32], "big") for start in (1, 33))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256K1(), key().public.data)
    public.verify(utils.encode_dss_signature(r, s), digest, ec.ECDSA(utils.Prehashed(SHA256())))


def test_a_first_attempt_that_is_not_canonical_is_made_again() -> None:
    plain = coincurve.PrivateKey(bytes.fromhex(SECRET))
    digests = [hashlib.sha256(bytes([number])).digest() for number in range(40)]
    first = [plain.sign_recoverable(digest, hasher=None) for digest in digests]
    again = [digest for digest, made in zip(digests, first, strict=True) if not is_canonical(made[:64])]
    assert 0 < len(again) < 40
    assert all(sign(digest, key()).canonical for digest in again)


@pytest.mark.parametrize(
    ("compact", "canonical"),
    [
        ("7f" + "00" * 31 + "7f" + "00" * 31, True),
        ("80" + "00" * 31 + "7f" + "00" * 31, False),
        ("7f" + "00" * 31 + "80" + "00" * 31, False),
        ("007f" + "00" * 30 + "7f" + "00" * 31, False),
        ("0080" + "00" * 30 + "7f" + "00" * 31, True),
        ("7f" + "00" * 31 + "007f" + "00" * 30, False),
    ],
)
def test_canonical(compact: str, canonical: bool) -> None:
    assert is_canonical(bytes.fromhex(compact)) is canonical


@pytest.mark.parametrize("text", ["", "SIG_K1_", "SIG_K1_111", "SIG_R1_x", PUB])
def test_no_signature(text: str) -> None:
    with pytest.raises(InputError):
        Signature.read(text)
    with pytest.raises(InputError):
        packed_signature(text)


def test_signatures_of_public_tests_are_read() -> None:
    for text in (
        "SIG_K1_HKkqi3zray76i63ZQwAHWMjoLk3wTa1ajZWPcUnrhgmSWQYEHDJsxkny6VDTWEmVdfktxpGoTA81qe6QuCrDmazeQndmxh",
        "SIG_K1_KeEyJFpkp63Qq5E1zRD9aNZtTjpStvdkdnL31Z7wVmhYtrKGtpVdMBJnXyEUXNkNEyo4d4i4Q79qmRpCUsCRdFqhV6KAeF",
    ):
        assert Signature.read(text).text == text
    r1 = "SIG_R1_K5VEcCFUxF2jptQJUjVhV99PNiBXur6kdz6xuHtqvjqoTnzGqcCkEpD6cuA4q9DPdEHysdXjfksLB5xfkERxBuWxb9QJ8y"
    assert packed_signature(r1)[0] == 1
    with pytest.raises(InputError, match="K1 key"):
        Signature.read(r1)


def test_a_signature_that_no_key_can_have_made() -> None:
    with pytest.raises(InputError, match="Sign again"):
        Signature(b"\x1f" + b"\0" * 64).recover(b"\1" * 32)
