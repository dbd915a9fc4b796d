"""Words of a search in other scripts: what a reader calls one word is found however it is spelled."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.domain.sweeps.question_list import holds, words_of
from passer.domain.texts.search_words import folded, search_words
from passer.domain.texts.words import unicode_words


@pytest.mark.parametrize(
    "spellings",
    [
        ("İncir", "incir", "INCİR", "İNCİR"),
        ("ırmak", "Irmak", "IRMAK"),
        ("Straße", "STRASSE", "STRAẞE"),
        ("Αθήνα", "ΑΘΗΝΑ", "αθήνα", "Αθη\u0301να"),
        ("οδός", "ΟΔΟΣ"),
        ("ｗｈｅａｔ", "wheat"),
        ("ﬁsh", "fish"),
        ("agri\u00adculture", "agriculture"),
        ("CO₂", "CO2"),
        ("l’eau", "l'eau", "L'EAU"),
        ("don’t", "don't"),
        ("м’ята", "м'ята", "мʼята"),
        ("كِتَابٌ", "كتـــاب", "كتاب"),
        ("أحمد", "احمد", "إحمد"),
        ("ﻻ", "لا"),
        ("کتاب", "كتاب"),
        ("می\u200cخواهم", "میخواهم"),
        ("שָׁלוֹם", "שלום"),
        ("צה״ל", 'צה"ל'),
        ("٢٠٢٤", "۲۰۲۴", "२०२४", "2024", "２０２４"),
        ("caf\u00e9", "cafe\u0301"),
        ("ｶﾞｿﾘﾝ", "ガソリン"),
    ],
)
def test_the_spellings_of_a_word_are_one(spellings: tuple[str, ...]) -> None:
    assert len({tuple(search_words(each)) for each in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("ёлка", "елка"), ("йод", "иод"), ("café", "cafe"), ("कल", "कुल"), ("ก่อ", "กอ"), ("ば", "は")]
)
def test_marks_that_make_another_word_are_kept(one: str, other: str) -> None:
    assert not set(search_words(one)) >= set(search_words(other))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l'eau", ["l", "eau"]),
        ("dell’acqua", ["dell", "acqua"]),
        ("Türkiye'nin", ["türkiye", "nin"]),
        ("The farmer's won't", ["the", "farmer's", "won't"]),
        ("1,5 or 1.5", ["1,5", "or", "1.5"]),
        ("e-mail", ["e", "mail"]),
        # Lucene's CJKAnalyzer has the pairs of neighbours; a single character is a word of its own.
        ("有机肥。水", ["有", "机", "有机", "肥", "机肥", "水"]),
        ("서울에서", ["서울에서", "서울", "울에", "에서"]),
    ],
)
def test_what_is_searched_for_in_parts(text: str, words: list[str]) -> None:
    assert search_words(text) == words


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="'")) | st.text("абвгдежзийклмн ,.-12"))
def test_other_texts_have_the_words_that_they_had(text: str) -> None:
    assert search_words(text) == unicode_words(text)


@given(st.text())
def test_every_text_has_words_that_find_it_again(text: str) -> None:
    found = search_words(text)
    assert all(found)
    assert bool(found) >= bool(unicode_words(text.replace("\u0640", "")))


def test_passages_without_blanks_do_not_fill_the_memory() -> None:
    texts = ["".join(chr(0x4E00 + (31 * number + 7 * place) % 5000) for place in range(500)) for number in range(200)]
    for cut in (unicode_words, search_words):
        tracemalloc.start()
        for text in texts:
            cut(text)
        kept = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        # 200 passages of 500 letters in a cache are 7.5 MB.
        assert kept < 2_500_000


def test_questions_are_found_whatever_their_case_and_marks() -> None:
    assert holds(["İncir ağacı"], words_of("incir AĞACI"))
    assert holds(["ما التُّرْبة؟"], words_of("التربة"))
    assert not holds(["İncir"], words_of("incil"))


def test_a_word_with_many_marks_is_folded_by_few_steps() -> None:
    # Looking back over all marks before each one takes the square of their number: minutes.
    many = "a" + "\u0301" * 100_000
    assert folded(many).endswith("\u0301" * 99_999)
    assert folded("\u0628" + "\u0301" * 100_000) == "\u0628"
