"""Templates, those of PaSSER and those of a folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from passer.adapters.prompts import JinjaPrompts
from passer.adapters.templates import JinjaPrompt
from passer.domain.models.abstention import ABSTENTION
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import Sentence, reading, shown, text_of
from passer.errors import ConfigError, NotFoundError

MOST = "2\u202f000\u202f000"
"""Two million, as messages print it."""

PASSAGES = (
    Passage(id="a", document="soil.pdf", number=4, text="Soil {{ lives }}.", start=0, end=11, page=3),
    Passage(id="b", document="bees.md", number=0, text="Bees <dance>.", start=0, end=13),
)
GOOD = "{% block user %}{{ question }}{% for p in passages %}|{{ p.text }}{% endfor %}{% endblock %}"


def test_the_default_numbers_the_passages_and_names_document_and_page() -> None:
    system, user = JinjaPrompts().load("default").render(question="What lives?", passages=PASSAGES)
    assert (system.role, user.role) == ("system", "user")
    assert system.content.endswith(ABSTENTION)
    assert user.content == (
        "Passages:\n\n[1] soil.pdf, page 3\nSoil {{ lives }}.\n\n[2] bees.md\nBees <dance>.\n\nQuestion: What lives?"
    )


def test_without_passages_the_default_asks_the_question_alone() -> None:
    system, user = JinjaPrompts().load("default").render(question="What lives?", passages=())
    assert user.content == "Question: What lives?"
    assert "assage" not in system.content


@pytest.mark.parametrize("name", JinjaPrompts().list())
def test_every_built_in_template_has_all_its_cases(name: str) -> None:
    template = JinjaPrompts().load(name)
    with_passages = template.render(question="Q?", passages=PASSAGES)
    assert ABSTENTION in with_passages[0].content
    assert template.render(question="Q?", passages=()) != with_passages


def test_built_in_names() -> None:
    assert JinjaPrompts().list() == ["cited", "default"]


def test_a_folder_adds_templates_and_its_digest_is_that_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text(GOOD)
    prompts = JinjaPrompts(tmp_path)
    template = prompts.load("mine")
    assert prompts.list() == ["cited", "default", "mine"]
    assert template.digest == hashlib.sha256(GOOD.encode()).hexdigest()
    (message,) = template.render(question="Q", passages=PASSAGES)
    assert message.content == "Q|Soil {{ lives }}.|Bees <dance>."
    (alone,) = template.render(question="Q", passages=())
    assert alone.content == "Q"


def test_a_changed_file_is_another_template(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text(GOOD)
    prompts = JinjaPrompts(tmp_path)
    before = prompts.load("mine").digest
    (tmp_path / "mine.j2").write_text(GOOD + "\n")
    assert prompts.load("mine").digest != before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{% block user %}{{ question }", "is not valid"),
        ("{{ question }}", "has no block user"),
        (GOOD + "{% block usr %}{% endblock %}", "unknown block usr"),
        ("{% block user %}{% for p in passages %}{{ p.text }}{% endfor %}{% endblock %}", "{{ question }}. Add it."),
        ("{% block user %}{{ question }}{% endblock %}", "does not show the passages"),
        ("{% block user %}{{ questoin }}{% endblock %}", "'questoin' is undefined"),
        ("{% block user %}{{ passages[0].similarity }}{% endblock %}", "no attribute 'similarity'"),
        ("{% block user %}{{ passages[0].text }}{{ question }}{{ 1 / 0 }}{% endblock %}", "division by zero"),
        ("{% block user %}{{ question.__class__.__mro__ }}{% endblock %}", "is unsafe"),
        (
            "{% block user %}{{ 'x' * 10 ** 10 }}{{ question }}{% endblock %}",
            f"more than {MOST} characters",
        ),
        (
            "{% block user %}{{ 'x' * 3000 * 3000 }}{{ question }}{% endblock %}",
            f"more than {MOST} characters",
        ),
        (
            "{% block user %}{{ 10 ** 100000000 }}{{ question }}{% endblock %}",
            f"more than {MOST} characters",
        ),
        (
            "{% block user %}{{ '%9999999999d' % 1 }}{{ question }}{% endblock %}",
            f"more than {MOST} characters",
        ),
        ("{% block user %}{{ 'x'.center(10 ** 10) }}{{ question }}{% endblock %}", "is unsafe"),
        ("{% block user %}{{ '{:9999999999}'.format(1) }}{{ question }}{% endblock %}", "is unsafe"),
        ("{% block user %}{{ 'x' | center(10 ** 10) }}{{ question }}{% endblock %}", "No filter named 'center'"),
        (
            "{% block user %}{% for i in range(99999) %}{{ 'x' * 100 }}{% endfor %}{{ question }}{% endblock %}",
            f"makes more than {MOST} characters",
        ),
        ("{% include 'secrets' %}" + GOOD, None),
    ],
)
def test_a_bad_template_is_refused_in_one_sentence(text: str, said: str | None) -> None:
    if said is None:  # nothing outside the blocks is ever rendered
        assert JinjaPrompt("bad", text).render(question="Q", passages=())[0].content == "Q"
        return
    with pytest.raises(ConfigError) as caught:
        JinjaPrompt("bad", text)
    assert said in caught.value.message
    assert caught.value.field == "prompt"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "{% block user %}\n{% if question %}{{ question }}\n{% endblock %}",
            "ред 3: {% endblock %}",
        ),
        ("{% block user %}{{ question | shout }}{% endblock %}", "няма филтър 'shout'"),
        ("{% block user %}{{ question }}{{ passages[0].similarity }}{% endblock %}", "няма атрибут 'similarity'"),
    ],
)
def test_what_jinja_refuses_is_said_in_bulgarian(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        JinjaPrompt("bad", text)
    with reading("bg"):
        assert said in shown(caught.value.message)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("{{ questoin }}", "'questoin' не е дефинирано"),
        ("{{ question }}{{ 'x' * 10 ** 10 }}", f"повече от {MOST} знака"),
        (
            "{{ question }}{% for i in range(99999) %}{{ 'x' * 100 }}{% endfor %}",
            f"създава повече от {MOST} знака",
        ),
        ("{{ question }}{{ '{:9}'.format(1) }}", "методът format не е безопасен"),
        ("{{ question }}{{ 1 // 0 }}", "израз не може да се изчисли: integer"),
    ],
)
def test_why_a_template_fails_is_said_in_the_readers_language(body: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        JinjaPrompt("bad", f"{{% block user %}}{body}{{% endblock %}}")
    message = caught.value.message
    assert isinstance(message, Sentence)
    assert message.message is not None
    assert said in text_of(message.message, "bg")


def test_no_file_is_read_from_a_template() -> None:
    with pytest.raises(ConfigError, match="The block user"):
        JinjaPrompt("bad", "{% block user %}{% include '/etc/passwd' %}{{ question }}{% endblock %}")


def test_an_unknown_name_is_answered_with_the_names_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="cited, default"):
        JinjaPrompts(tmp_path).load("../default")


def test_a_built_in_name_cannot_be_taken(tmp_path: Path) -> None:
    (tmp_path / "default.j2").write_text(GOOD)
    with pytest.raises(ConfigError, match="Rename"):
        JinjaPrompts(tmp_path).load("default")


def test_unreadable_and_huge_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.j2").write_bytes("{# caf\u00e9 #}".encode("latin-1"))
    (tmp_path / "huge.j2").write_text("x" * 70_000)
    with pytest.raises(ConfigError, match="UTF-8"):
        JinjaPrompts(tmp_path).load("latin")
    with pytest.raises(ConfigError, match="64 KiB"):
        JinjaPrompts(tmp_path).load("huge")


def test_a_frozen_text_goes_before_what_its_file_holds_now(tmp_path: Path) -> None:
    file = tmp_path / "mine.j2"
    file.write_text(GOOD)
    prompts = JinjaPrompts(tmp_path)
    before = prompts.load("mine")
    file.write_text(GOOD.replace("|", "#"))
    frozen = prompts.of_text(name="mine", text=before.text)
    assert (frozen.name, frozen.digest) == ("mine", hashlib.sha256(GOOD.encode()).hexdigest())
    assert frozen.render(question="Q", passages=PASSAGES[1:])[0].content == "Q|Bees <dance>."
    assert prompts.load("mine").render(question="Q", passages=PASSAGES[1:])[0].content == "Q#Bees <dance>."
    file.unlink()
    assert prompts.of_text(name="mine", text=before.text).digest == before.digest


def test_which_templates_ask_for_citations_is_said_beside_their_text(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text(GOOD)
    (tmp_path / "other.j2").write_text(GOOD)
    (tmp_path / "mine.json").write_text('{"cites": true}')
    prompts = JinjaPrompts(tmp_path)
    names = ("cited", "default", "mine", "other", "none")
    assert [prompts.cites(name) for name in names] == [True, False, True, False, False]
    assert prompts.list() == ["cited", "default", "mine", "other"]
    (tmp_path / "mine.json").write_text('{"cite": true}')
    with pytest.raises(ConfigError, match=r"mine\.json is not a JSON object like") as refused:
        prompts.cites("mine")
    with reading("bg"):
        assert shown(refused.value.message).endswith('mine.json не е обект JSON като {"cites": true}. Поправете го.')


def test_a_template_shows_what_the_dataset_says_of_a_question_besides() -> None:
    text = (
        "{% block user %}{{ metadata.region }}|{{ metadata['year'] }}|{{ question }}|"
        "{% for passage in passages %}{{ passage.text }}{% endfor %}{% endblock %}"
    )
    template = JinjaPrompt("mine", text)
    (message,) = template.render(question="Q", passages=PASSAGES[1:], metadata={"region": "Luzon"})
    assert message.content == "Luzon||Q|Bees <dance>."
    assert template.render(question="Q", passages=PASSAGES[1:])[0].content == "||Q|Bees <dance>."
