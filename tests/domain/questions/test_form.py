"""Form checks: what a small model really wrote, copied examples, and questions of people, which all pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passer.domain.questions.form import form_problem, normal_form
from passer.domain.questions.tasks import examples_of

DATASETS = Path(__file__).parents[3] / "datasets"
REPLIES = Path(__file__).with_name("replies.jsonl")
SHOWN = {normal_form(each.question) for each in examples_of("en")}


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_replies_of_a_small_model_are_refused_by_the_rule_that_a_person_would_name():
    # SmolLM2-135M, the same 20 passages: inside a JSON schema, as plain text, and behind three examples.
    replies = lines(REPLIES)
    assert len(replies) == 60
    for reply in replies:
        text = (DATASETS / "organic-farming/corpus" / reply["document"]).read_text()
        window = text[slice(*reply["span"])]
        found = form_problem(reply["reply"], window, language="en", examples=SHOWN)
        assert found == reply["rule"], reply["reply"]
    without = [reply for reply in replies if reply["prompt"] != "examples"]
    assert len(without) == 40
    assert all(reply["rule"] for reply in without)
    assert sum(reply["rule"] is None for reply in replies) == 7


def test_every_question_of_a_person_in_the_examples_passes():
    count = 0
    for name in ("organic-farming", "biodiversity-policy"):
        for row in lines(DATASETS / name / "questions.jsonl"):
            texts = (DATASETS / name / "corpus" / gold["document"] for gold in row["gold_passages"])
            window = "\n".join(text.read_text() for text in texts)
            assert form_problem(row["question"], window, language="en", examples=SHOWN) is None, row["question"]
            count += 1
    assert count == 141


@pytest.mark.parametrize("language", ["bg", "en"])
def test_the_worked_examples_have_form_and_may_not_be_copied(language):
    for each in examples_of(language):
        assert form_problem(each.question, each.passage, language=language) is None
        shouted = each.question.upper().replace(",", " ,")
        forms = {normal_form(shown.question) for shown in examples_of(language)}
        assert form_problem(shouted, each.passage, language=language, examples=forms) == "example"


WINDOW = (
    "Winter wheat is sown in October at a depth of three to four centimetres, on soil that has settled for two weeks."
)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("When is it?", "too_short"),
        ("How deep is winter wheat sown on soil " + "x" * 300 + "?", "too_long"),
        ("Winter wheat is sown in October on settled soil.", "no_question_mark"),
        ("When is winter wheat sown? How deep?", "several_questions"),
        ("According to the passage, when is winter wheat sown?", "refers_to_text"),
        ("When is the winter wheat mentioned above sown?", "refers_to_text"),
        ("What is the answer to this question about winter wheat?", "refers_to_text"),
        ("What is it that they do in wheat?", "few_words"),
        ("How many planets orbit the distant yellow star?", "off_topic"),
        (
            "Why is wheat sown in October at a depth of three to four centimetres, on soil?",
            "copied",
        ),
        ("Is winter wheat sown, is winter wheat sown, is winter wheat sown?", "loop"),
        ("How deep is winter wheat sown?", None),
        ("Which law is the question of where wheat is sown settled by?", None),
    ],
)
def test_each_rule(question, rule):
    assert form_problem(question, WINDOW, language="en") == rule


@pytest.mark.parametrize(
    ("language", "question", "window"),
    [
        ("el", "Ποια είναι η συνιστώμενη δόση αζώτου;", "Η συνιστώμενη δόση αζώτου είναι δέκα κιλά."),
        ("th", "อัตราปุ๋ยที่แนะนำคือเท่าใด", "อัตราปุ๋ยที่แนะนำคือสิบกิโลกรัมต่อไร่"),
        ("zh", "推荐的施肥量是多少？", "小麦推荐的施肥量是每公顷十公斤。"),
        ("zh", "小麦在春季推荐的施肥量是每公顷多少？", "小麦在春季推荐的施肥量是每公顷十公斤。"),
        ("ja", "推奨される施肥量は何キロですか。", "推奨される施肥量は十キロです。"),
        ("ko", "권장되는 질소 비료의 양은 얼마입니까?", "권장되는 질소 비료의 양은 십 킬로그램이다."),
        ("ar", "ما هي الجرعة الموصى بها للقمح؟", "الجرعة الموصى بها للقمح عشرة كيلوغرامات."),
        ("hi", "गेहूँ के लिए अनुशंसित मात्रा क्या है?", "गेहूँ के लिए अनुशंसित मात्रा दस किलोग्राम है।"),
        ("hy", "Որքա՞ն է պարարտանյութի խորհուրդ տրվող չափը", "Պարարտանյութի խորհուրդ տրվող չափը տասն է։"),
    ],
)
def test_questions_of_other_scripts_pass(language, question, window):
    assert form_problem(question, window, language=language) is None


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("施肥量？", "too_short"),
        ("推荐的施肥量是每公顷十公斤。", "no_question_mark"),
        ("What is the dose of nitrogen;", "no_question_mark"),
        ("小麦在春季推荐的施肥量是每公顷十公斤并且分两次施用吗？", "copied"),
        ("推荐的施肥量是推荐的施肥量是推荐的施肥量是多少？", "loop"),
    ],
)
def test_the_rules_hold_in_scripts_without_spaces(question, rule):
    window = "小麦在春季推荐的施肥量是每公顷十公斤并且分两次施用。"
    assert form_problem(question, window, language="zh") == rule


def test_bulgarian_references_to_a_text_are_refused():
    window = "Зимната пшеница се сее през октомври на дълбочина три до четири сантиметра."
    assert form_problem("Кога според текста се сее зимната пшеница?", window, language="bg") == "refers_to_text"
    assert form_problem("Какво се казва в този откъс за пшеницата?", window, language="bg") == "refers_to_text"
    assert form_problem("На каква дълбочина се сее зимната пшеница?", window, language="bg") is None
    # Endings differ: the window is found by the first letters of its words.
    assert form_problem("Колко дълбоко засяват зимни пшеници?", window, language="bg") is None


def test_a_korean_question_is_as_long_as_its_syllables() -> None:
    window = "밀은 시월에 파종하며 수확량은 헥타르당 4톤이다."
    assert form_problem("밀은 언제 파종합니까?", window, language="ko") is None
    assert form_problem("밀은 왜?", window, language="ko") == "too_short"
