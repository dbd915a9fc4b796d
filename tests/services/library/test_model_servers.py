"""Model servers: which may be connected, where their keys go, and what they answer."""

from __future__ import annotations

import pytest

from passer.adapters.vault import FernetVault, secret_of_file
from passer.domain.models.connection import NewConnection, is_reserved, server_address
from passer.domain.models.model import Model, ModelInfo, model_of
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable
from passer.services.library.model_servers import ModelServers
from tests.fake_connections import FakeConnections, FakeVault

LAB = {"name": "lab", "kind": "openai", "url": "http://gpu:8000/v1"}
LLAMA = ModelInfo(name="llama")


class Servers:
    """Servers behind addresses; notes who asked with which key."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, str | None]] = []
        self.problems: dict[str | None, Exception] = {}

    def __call__(self, model: Model, key: str | None) -> list[ModelInfo]:
        self.asked.append((model.base_url, key))
        if model.base_url in self.problems:
            raise self.problems[model.base_url]
        return [LLAMA]


def resolve(host: str, port: int) -> list[str]:
    known = {"gpu": "10.0.0.7", "metadata": "169.254.169.254", "far": "93.184.216.34", "other": "10.0.0.8"}
    if host not in known:
        raise OSError
    return [known[host]]


@pytest.fixture
def asked() -> Servers:
    return Servers()


def servers(asked: Servers, **more: object) -> ModelServers:
    parts = {
        "store": FakeConnections(),
        "vault": FakeVault(),
        "setting_urls": {"ollama": "http://127.0.0.1:11434"},
        "environment": {
            "PASSER_KEY_LAB": "from-the-environment",
            "PASSER_KEY_LAB_URL": "http://GPU:8000",
            "PASSER_KEY_FREE": "bound-to-nothing",
        },
        "ask": asked,
        "resolve": resolve,
        **more,
    }
    return ModelServers(**parts)


def test_servers_are_listed_with_their_models_and_one_that_is_away_says_so(asked):
    connected = servers(asked)
    connected.connect(NewConnection(**LAB))
    asked.problems["http://127.0.0.1:11434"] = GeneratorUnavailable("Ollama is away.")
    built_in, _, ollama, lab = connected.list()
    assert (built_in.provider, built_in.models) == ("extractive", (LLAMA,))
    optional = (
        "No Ollama server runs at http://127.0.0.1:11434. PaSSER works without one; start Ollama to use its models."
    )
    assert (ollama.setting, ollama.problem, ollama.models) == ("PASSER_OLLAMA_URL", optional, ())
    assert (lab.connection, lab.address, lab.models) == ("lab", "http://gpu:8000/v1", (LLAMA,))


def test_files_that_cannot_be_used_are_named_beside_the_local_models(asked):
    said = "huge has 40,000 MB of weights."
    listed = servers(asked, left_out=lambda: [said]).list()
    assert {server.provider: server.left_out for server in listed if server.left_out} == {"local": (said,)}


def test_what_prevents_all_local_models_is_said_once_and_not_for_each_file(asked):
    asked.problems[None] = ConfigError("The program for local models is not installed.")
    listed = servers(asked, left_out=lambda: pytest.fail("every file has the same problem")).list()
    problems = {server.provider: server.problem for server in listed}
    assert problems["local"] == "The program for local models is not installed."


def test_a_stored_key_is_sealed_and_goes_to_its_own_address_alone(asked):
    connected = servers(asked)
    kept = connected.connect(NewConnection(**LAB, api_key="sk-secret"))
    assert kept.key == "stored"
    assert "sk-secret" not in kept.model_dump_json() + repr(kept) + str(kept.sealed_key)
    connected.list()
    assert ("http://gpu:8000/v1", "sk-secret") in asked.asked
    assert {key for url, key in asked.asked if url != "http://gpu:8000/v1"} == {None}


def test_a_name_that_leads_elsewhere_after_it_was_connected_is_not_asked(asked):
    leads_to = {"gpu": "10.0.0.7"}
    connected = servers(asked, resolve=lambda host, port: [leads_to[host]])
    kept = connected.connect(NewConnection(**LAB))
    connected.check_connected(kept)
    leads_to["gpu"] = "169.254.169.254"
    with pytest.raises(ConfigError, match="gpu"):
        connected.check_connected(kept)
    assert connected.list()[-1].problem is not None
    assert all(url != "http://gpu:8000/v1" for url, _ in asked.asked)


def test_a_host_that_was_taken_from_the_list_is_not_asked(asked):
    kept = servers(asked).connect(NewConnection(**LAB))
    with pytest.raises(ConfigError, match="gpu"):
        servers(asked, allowed=("other",)).check_connected(kept)


def test_a_new_address_under_an_old_name_does_not_receive_the_old_key(asked):
    connected = servers(asked)
    connected.connect(NewConnection(**LAB, api_key="sk-secret"))
    assert connected.connect(NewConnection(**LAB)).key == "stored", "the same address keeps it"
    moved = NewConnection(**{**LAB, "url": "http://other:8000/v1"})
    connected.test(moved)
    assert asked.asked[-1] == ("http://other:8000/v1", None)
    assert connected.connect(moved).key == "none"


def test_a_key_may_be_in_the_environment(asked):
    connected = servers(asked)
    connected.connect(NewConnection(**LAB, key_variable="PASSER_KEY_LAB"))
    connected.list()
    assert ("http://gpu:8000/v1", "from-the-environment") in asked.asked
    connected.connect(NewConnection(**LAB, key_variable="PASSER_KEY_GONE"))
    assert "PASSER_KEY_GONE is not set" in str(connected.list()[-1].problem)


@pytest.mark.parametrize(
    "url",
    ["http://other:8000/v1", "http://gpu:9000/v1", "https://gpu:8000/v1", "http://gpu/v1", "http://other/gpu:8000"],
)
def test_a_key_of_the_environment_goes_to_the_address_that_the_operator_gave_it_alone(asked, url):
    connected = servers(asked)
    elsewhere = NewConnection(**{**LAB, "url": url}, key_variable="PASSER_KEY_LAB")
    with pytest.raises(ConfigError, match="Set PASSER_KEY_LAB_URL"):
        connected.test(elsewhere)
    connected.connect(elsewhere)
    assert "PASSER_KEY_LAB does not belong to" in str(connected.list()[-1].problem)
    with pytest.raises(ConfigError, match="PASSER_KEY_FREE_URL is not set"):
        connected.test(NewConnection(**LAB, key_variable="PASSER_KEY_FREE"))
    assert not [key for _, key in asked.asked if key]


@pytest.mark.parametrize("variable", ["PASSER_CHAIN_KEY", "HOME", "PASSER_KEY_", "passer_key_lab", "AWS_SECRET"])
def test_no_other_secret_of_the_server_can_be_sent_as_a_key(variable):
    with pytest.raises(ValueError, match="key_variable"):
        NewConnection(**LAB, key_variable=variable)


def test_a_test_keeps_nothing(asked):
    tried = servers(asked)
    assert tried.test(NewConnection(**LAB, api_key="sk")).models == (LLAMA,)
    assert tried.store.list_connections() == []


def test_what_an_unknown_service_says_is_not_repeated(asked):
    asked.problems["http://gpu:8000/v1"] = GenerationError("it says: root:x:0:0", reason="rejected")
    said = str(servers(asked).test(NewConnection(**LAB)).problem)
    assert "root:x" not in said
    assert "not with a list of models" in said


@pytest.mark.parametrize(
    ("url", "allowed", "is_alone"),
    [
        ("http://metadata/latest", (), True),  # resolves to a link-local address
        ("http://gpu:8000", (), False),  # a shared server without a list
        ("http://gpu:8000", ("far",), True),  # a list that does not name it
        ("http://gpu:8000", ("gpu:9000",), False),  # another port
        ("http://user:pass@gpu:8000", ("gpu",), False),
        ("http://gpu:8000/?x=1", ("gpu",), False),
        ("file:///etc/passwd", ("gpu",), True),
        ("http://nowhere:1", (), True),
        ("http://gpu:8000,http://169.254.169.254", ("gpu",), False),  # a second address behind an allowed one
        ("gpu:8000/v1,far", ("gpu",), False),
        ("http://gpu:8000/a\tb", ("gpu",), False),
        ("http://gpu:8000/\x01", ("gpu",), True),
    ],
)
def test_addresses_that_may_not_be_connected_are_refused_before_anything_is_asked(asked, url, allowed, is_alone):
    guarded = servers(asked, allowed=allowed, is_alone=is_alone)
    for act in (guarded.test, guarded.connect):
        with pytest.raises(ConfigError) as refused:
            act(NewConnection(**{**LAB, "url": url}))
        assert refused.value.field == "url"
    assert asked.asked == []
    assert guarded.store.list_connections() == []


@pytest.mark.parametrize("rule", ["gpu", "GPU:8000", " gpu "])
def test_a_listed_host_may_be_connected_on_a_shared_server(rule):
    assert server_address("http://gpu:8000/", allowed=(rule,), is_alone=False) == "http://gpu:8000"


def test_a_network_may_be_listed():
    assert server_address("http://10.1.2.3:80", allowed=("10.0.0.0/8",), is_alone=False)
    with pytest.raises(ConfigError):
        server_address("http://11.1.2.3:80", allowed=("10.0.0.0/8",), is_alone=False)


def test_addresses_of_cloud_credentials_are_reserved():
    assert [is_reserved(ip) for ip in ("169.254.169.254", "::ffff:169.254.169.254", "fe80::1%eth0", "0.0.0.0")] == [
        True
    ] * 4
    assert not is_reserved("10.0.0.7")
    assert not is_reserved("fd00:ec2::1")
    # The address of the credentials as NAT64 and 6to4 write it, and that of AWS over IPv6.
    assert all(map(is_reserved, ("64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "fd00:ec2::254")))


def test_requests_name_connections_and_no_addresses(asked):
    guarded = servers(asked)
    with pytest.raises(ConfigError, match="is not connected"):
        guarded.check_named([Model(provider="openai", name="m", base_url="http://gpu:8000/v1")])
    guarded.connect(NewConnection(**LAB))
    guarded.check_named(
        [Model(), Model(provider="openai", name="m", base_url="http://gpu:8000/v1"), model_of("openai@lab/llama")]
    )


def test_ollama_has_no_key(asked):
    with pytest.raises(ConfigError, match="does not use API keys"):
        servers(asked).connect(NewConnection(**{**LAB, "kind": "ollama"}, api_key="sk"))


def test_a_model_of_a_connection_is_named_with_it():
    assert model_of("openai@lab/org/llama").model_dump() == {
        "provider": "openai",
        "name": "org/llama",
        "base_url": None,
        "connection": "lab",
    }
    assert "connection" not in model_of("openai/llama").model_dump(), "digests of models without one do not change"


def test_a_sealed_key_opens_with_the_same_secret_alone():
    vault = FernetVault(lambda: "a secret of more than sixteen characters")
    sealed = vault.seal("sk-secret")
    assert "sk-secret" not in sealed
    assert vault.open(sealed) == "sk-secret"
    with pytest.raises(ConfigError, match="Enter the key again"):
        FernetVault(lambda: "another secret of that length").open(sealed)
    with pytest.raises(ConfigError, match="fewer than 16"):
        FernetVault(lambda: "short").seal("x")


def test_the_secret_is_made_once_and_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "secret.key"
    made = secret_of_file(path)
    assert len(made) > 40
    assert secret_of_file(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["secret.key"]
    with pytest.raises(ConfigError, match="cannot be written"):
        secret_of_file(tmp_path / "no-folder" / "secret.key")
