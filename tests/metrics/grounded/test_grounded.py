"""Citations and grounding by shared keywords: marks, limits and columns by hand, and the rates of LitPath's tables."""

from __future__ import annotations

import pytest

from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings
from passer.domain.retrieval.passages import Passage
from passer.domain.texts.citations import marks, with_marks_inside, without_marks
from passer.metrics.grounded.checks import CheckedAnswer, GroundingLimits, checked
from passer.metrics.grounded.citations import citation_findings
from passer.metrics.grounded.grounding import grounding_findings
from passer.metrics.registry import infos


def passages(*texts: str, documents: tuple[str, ...] = ()) -> tuple[Passage, ...]:
    names = documents or tuple(f"d{place}" for place in range(len(texts)))
    return tuple(
        Passage(id=f"p{place}", document=names[place], number=0, text=text, start=0, end=len(text))
        for place, text in enumerate(texts)
    )


def check(answer: str, *texts: str, language: str = "en", **limits: object) -> CheckedAnswer:
    return checked(answer, passages(*texts), language=language, limits=GroundingLimits.model_validate(limits))


def item(answer: str, *texts: str, **more: object) -> Item:
    given = {"question_id": "q", "question": "?", "answer": answer, "passages": passages(*texts), "cites": True}
    return Item.model_validate({**given, **more})


def of_citations(given: Item) -> Findings:
    found = checked(given.answer, given.passages, language=given.language, limits=GroundingLimits())
    return citation_findings(given, found)


def of_grounding(given: Item) -> Findings:
    found = checked(given.answer, given.passages, language=given.language, limits=GroundingLimits())
    return grounding_findings(given, found)


@pytest.mark.parametrize(
    ("language", "answer", "passage"),
    [
        ("fr", "L'eau d'irrigation [1].", "L\u2019eau d\u2019irrigation."),
        ("uk", "П'ять рослин [1].", "П\u2019ять рослин."),
        ("ar", "يزرع القمح سنة 2023 [1].", "يُزْرَعُ القَمْحُ سنة ٢٠٢٣."),
        ("fa", "می\u200cخواهم [1]", "میخواهم"),
        ("he", 'צה"ל שלום [1].', "צה״ל שָׁלוֹם."),
        ("el", "ΟΔΥΣΣΕΥΣ [1].", "Οδυσσεύς."),
        ("en", "The fertiliser co-operative [1].", "The fer\u00adtiliser co\u2011operative."),
        ("ja", "ＮＰＫ肥料を１０月[1]。", "NPK肥料を10月。"),
    ],
)
def test_an_answer_that_spells_the_words_of_its_passage_otherwise_is_grounded(language: str, answer: str, passage: str):
    found = check(answer, passage, language=language)
    assert [each.share for each in found.sentences] == [1.0]
    assert [each.share for each in found.citations] == [1.0]
    # LitPath's program knows no such rule.
    assert check(answer, passage, language=language, published=True).sentences[0].share != 1.0


@pytest.mark.parametrize(
    ("answer", "passage", "share"),
    [
        # Numbers of notes and signs of trade marks are no part of a word.
        ("Salinity harms Roundup users since 2023.", "Salinity\u00b9 harms Roundup\u2122 users since 2023\u00b2.", 1),
        ("Под №5.", "под \u2116 5", 1),
        # A Bulgarian answer from an English passage; Persian decimals.
        ("3,5 и 1.000", "3.5 t and 1,000", 1),
        ("3.5", "۳٫۵", 1),
        ("3.5", "35", 0),
        ("wheat", "_wheat_", 1),
        # Powers are no digits of the number.
        ("105", "10\u2075", 0),
        ("10 and 5", "10\u2075", 1),
        ("12", "\u2460\u2461", 0),
    ],
)
def test_spellings_are_made_equal_within_words_alone(answer: str, passage: str, share: float) -> None:
    [found] = check(answer, passage).sentences
    assert found.share == share


@pytest.mark.parametrize(
    ("answer", "passage", "share"),
    [
        # 有机, 机肥 of 有机, 机物; then with a word between the runs, which no pair crosses.
        ("有机肥", "有机物", 1 / 2),
        ("有机 NPK 肥", "NPK 有机物", 2 / 3),
        ("土は肥える", "土は湿る", 1 / 4),
        # Letters with their marks: ดิ น ดี มี, so ดินดี and นดีมี.
        ("ดินดีมี", "ดินดี", 1 / 2),
        ("ดิน", "ดินดี", 0),
    ],
)
def test_letters_of_scripts_without_spaces_are_compared_by_their_neighbours(answer: str, passage: str, share: float):
    [found] = check(answer, passage).sentences
    assert found.share == pytest.approx(share)


# About bees, rice, water for cows and a land tax: each answer says in other words what its passage says.
THAI = {
    "ผึ้งงานหนึ่งตัวสามารถผลิตน้ำผึ้งได้ประมาณหนึ่งช้อนชาตลอดชีวิต": "ผึ้งงานตัวหนึ่งผลิตน้ำผึ้งได้ราวหนึ่งช้อนชาตลอดชีวิตของมัน",
    "ข้าวหอมมะลิปลูกมากในภาคตะวันออกเฉียงเหนือ และเก็บเกี่ยวในเดือนพฤศจิกายน": "ข้าวหอมมะลิจะเก็บเกี่ยวกันในเดือนพฤศจิกายน",
    "วัวนมต้องดื่มน้ำวันละแปดสิบลิตร และควรรีดนมวันละสองครั้งในเวลาเดิม": "วัวนมดื่มน้ำประมาณแปดสิบลิตรต่อวัน",
    "รัฐบาลกำหนดภาษีที่ดินใหม่สำหรับที่ดินรกร้าง โดยเริ่มใช้ในปีหน้า": "ภาษีที่ดินรกร้างใหม่จะเริ่มใช้ปีหน้า",
}


def test_a_thai_sentence_is_grounded_in_its_own_passage_and_not_in_the_others():
    for passage, answer in THAI.items():
        others = [each for each in THAI if each != passage]
        assert [each.is_grounded for each in check(answer, passage).sentences] == [True]
        assert [each.is_grounded for each in check(answer, *others).sentences] == [False]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Rice [1].", [(1,)]),
        ("Rice [1, 2] and [3][4].", [(1, 2), (3,), (4,)]),
        ("Rice [1-3].", [(1, 2, 3)]),
        ("Rice [1\u20133; 7].", [(1, 2, 3, 7)]),
        ("Rice [Source 2] and [sources 1, 2].", [(2,), (1, 2)]),
        ("It grew in 2019 [1].", [(1,)]),
        ("He wrote 'ryce' [sic] and [citation needed].", []),
        ("See [1](http://example.org/a).", [(1,)]),
        ("[3-1] and [1-9999]", [(3, 1), (1, 9999)]),
        ("[]", []),
        ("推荐量是十公斤【1】，每年一次［２］。", [(1,), (2,)]),
        ("［1、2］ ［1，3］ 【1～3】", [(1, 2), (1, 3), (1, 2, 3)]),
        ("وفقا [١] و [٢، ٣]", [(1,), (2, 3)]),
        ("[Източник 2] [来源1] [出典 2] [Quellen 1, 2]", [(2,), (1,), (2,), (1, 2)]),
        ("Ten 【1†source】 and 【12†L3-L9】.", [(1,), (12,)]),
        ("[1, page 3], [2: pp. 3-4], [3, стр. 7] and [2, 第3頁].", [(1,), (2,), (3,), (2,)]),
        (
            "[Passage 1; Passage 2] [Passages 1 and 3] [Doc 2] [Ref. 2] [Source: 1] [passage #2]",
            [(1, 2), (1, 3), (2,), (2,), (1,), (2,)],
        ),
        (
            "[Пасажи 1 и 2] [Източници 2, 3] [фрагменты 2 и 3] [Passagen 1 und 2] [pasajes 1 y 2]",
            [(1, 2), (2, 3), (2, 3), (1, 2), (1, 2)],
        ),
        ("[参考1] [文档2] [문서 1] [المصدر ١] [ 1 ] [^2] [1 & 2]", [(1,), (2,), (1,), (1,), (1,), (2,), (1, 2)]),
        ("(Source 1) (passages 1, 2) (пасаж 2) （段落3）", [(1,), (1, 2), (2,), (3,)]),
        ("(1) (2019) (see page 2) (document 2018/848) (source 1 of water) [p. 3] [1, see p. 3]", []),
        ("【注意】 [1a] [x1] ［甲］", []),
    ],
)
def test_marks(text: str, numbers: list[tuple[int, ...]]) -> None:
    assert [mark.numbers for mark in marks(text)] == numbers
    assert marks(without_marks(text)) == []


def test_a_mark_behind_the_full_stop_stays_with_its_sentence() -> None:
    assert with_marks_inside("Clover grows. [1][2] Bees fly. [3]") == "Clover grows [1][2]. Bees fly [3]."
    assert with_marks_inside("十公斤。【1】一次！[2]") == "十公斤 【1】。一次 [2]！"
    assert with_marks_inside("「稲は咲く。」[1]ទឹក។ [2]") == "「稲は咲く [1]。」ទឹក [2]។"
    found = check("Clover grows. [1] Bees fly.", "clover grows", "bees fly")
    assert [(each.text, each.cites) for each in found.sentences] == [("Clover grows .", (1,)), ("Bees fly.", ())]


def test_a_citation_is_verified_from_the_limit_on() -> None:
    claim = "Rice salt tolerance genotypes grew field yield [1]."
    one, two = check(claim, "salt water"), check(claim, "salt and rice")
    assert [(each.share, each.is_verified) for each in one.citations] == [(1 / 7, False)]
    assert [(each.share, each.is_verified) for each in two.citations] == [(2 / 7, True)]
    twenty = " ".join(f"word{n:02d}" for n in range(20))
    exact = check(f"{twenty} [1].", "word00 word01 word02")
    assert [(each.share, each.is_verified) for each in exact.citations] == [(0.15, True)]


def test_the_published_program_does_not_meet_a_word_before_a_full_stop() -> None:
    # LitPath AI splits sources on white space: of rice, tolerates and salinity it finds the first two.
    source = "Rice (Oryza) tolerates salinity."
    ours, theirs = check("Rice tolerates salinity.", source), check("Rice tolerates salinity.", source, published=True)
    assert [each.sentences[0].share for each in (ours, theirs)] == [1.0, 2 / 3]


def test_a_sentence_is_grounded_from_the_limit_on() -> None:
    ten = " ".join(f"word{n}" for n in range(10))
    assert check(ten, "word0 word1 word2").sentences[0].is_grounded
    assert not check(ten, "word0 word1").sentences[0].is_grounded
    # All passages together, and the words that were found.
    [found] = check(ten, "word0", "word1 word2").sentences
    assert (found.found, found.places) == (("word0", "word1", "word2"), {})


@pytest.mark.parametrize(
    ("by", "places"), [("passage", {"rice": (1, 3), "salt": (2,)}), ("document", {"rice": (1, 2), "salt": (1,)})]
)
def test_each_word_that_was_found_names_its_sources(by: str, places: dict[str, tuple[int, ...]]) -> None:
    found = checked(
        "Rice needs salt and water.",
        passages("rice", "salt", "rice", documents=("one", "one", "two")),
        language="en",
        limits=GroundingLimits.model_validate({"by": by}),
        with_places=True,
    )
    assert [each.places for each in found.sentences] == [places]


def test_citations_that_cannot_be_compared_are_not_verified() -> None:
    found = check("Rice grows [7].\n\nThe [1].", *["rice"] * 5)
    assert [(each.number, each.problem) for each in found.citations] == [(7, "no_such_source"), (1, "no_keywords")]
    assert not any(each.is_verified for each in found.citations)


def test_a_number_counts_once_in_a_paragraph_and_may_count_documents() -> None:
    text = "Rice grows [1]. Rice is wet [1].\n\nRice is white [1]."
    assert len(check(text, "rice").citations) == 2
    assert len(check(text, "rice", per="sentence").citations) == 3
    three = passages("rice", "wheat", "maize", documents=("a.md", "a.md", "b.md"))
    by_document = GroundingLimits(by="document")
    found = checked("Maize [2]. Wheat [1]. Oats [3].", three, language="en", limits=by_document)
    assert [each.problem for each in found.citations] == [None, None, "no_such_source"]


# Verified and all citations, grounded and all sentences, of the six answers that LitPath AI prints.
CITED = ((7, 8), (5, 7), (5, 7), (2, 7), (7, 7), (1, 1))
GROUNDED = ((8, 8), (8, 9), (10, 10), (8, 8), (9, 9), (8, 9))


def test_the_rates_of_litpath() -> None:
    rates, shares = [], []
    for (verified, cited), (grounded, sentences) in zip(CITED, GROUNDED, strict=True):
        text = "\n\n".join("rice [1]." if n < verified else "wheat [1]." for n in range(cited))
        rates.append(of_citations(item(text, "rice"))[1].value)
        text = " ".join("Rice grows." if n < grounded else "Wheat dries." for n in range(sentences))
        shares.append(of_grounding(item(text, "rice"))[0].value)
    assert rates == [verified / cited for verified, cited in CITED]
    # LitPath prints .7647, the mean of rates that it had cut to three decimals.
    assert round(sum(rates) / 6, 4) == 0.7649
    assert round(sum(int(1000 * rate) / 1000 for rate in rates) / 6, 4) == 0.7647
    assert round(sum(shares) / 6, 4) == 0.9630


@pytest.mark.parametrize(
    ("more", "cited", "grounded"),
    [
        ({"cites": False}, "not_requested", None),
        ({"abstained": True}, "abstained", "abstained"),
        ({"passages": ()}, "no_passages", "no_passages"),
        ({"answer": ""}, "empty_answer", "empty_answer"),
        ({"answer": "Is it?"}, None, "no_tokens"),
    ],
)
def test_why_a_column_has_no_value(more: dict[str, object], cited: str | None, grounded: str | None) -> None:
    given = item("Rice [1].", "rice").model_copy(update=more)
    assert of_citations(given)[0].reason == cited
    assert of_grounding(given)[0].reason == grounded


def test_an_answer_without_citations_has_no_rate_but_a_count() -> None:
    count, rate, share = of_citations(item("Rice grows.", "rice"))
    assert (count.value, rate.value, rate.reason, share.value) == (0.0, None, "no_citations", 0.0)


def test_bulgarian_and_filipino_answers() -> None:
    found = check("Детелината фиксира азот [1]. Тя е цвете.", "Детелината фиксира азот от въздуха", language="bg")
    assert [each.is_grounded for each in found.sentences] == [True, False]
    assert found.citations[0].is_verified
    assert check("Ang pugad ng bubuyog [1].", "pugad ng bubuyog", language="tl").sentences[0].share == 1.0


def test_the_columns_are_described() -> None:
    names = [info.name for info in infos("grounded")]
    assert names == ["Citations", "Citation rate", "Cited share", "Grounded share", "Mean grounding"]
