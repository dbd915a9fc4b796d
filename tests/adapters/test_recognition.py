"""The language of texts, recognised: sentences written by hand for these tests."""

from __future__ import annotations

import pytest

from passer.adapters.recognition import MOST_TEXTS, recognised_language

IN = {
    "en": ("How long does the conversion period last?", "It lasts two years before sowing."),
    "bg": ("Колко време продължава преходният период?", "Две години преди сеитбата."),
    "ru": ("Сколько длится переходный период?", "Два года до посева."),
    "uk": ("Скільки триває перехідний період?", "Два роки до посіву."),
    "el": ("Πόσο διαρκεί η περίοδος μετατροπής;", "Δύο χρόνια πριν από τη σπορά."),
    "ar": ("كم سنة تعيش شجرة الزيتون؟", "تعيش شجرة الزيتون أكثر من خمسمائة سنة."),
    "he": ("כמה שנים חי עץ הזית?", "עץ הזית חי יותר מחמש מאות שנה."),
    "hi": ("जैतून का पेड़ कितने साल जीवित रहता है?", "यह पाँच सौ साल से अधिक जीवित रहता है।"),
    "th": ("ต้นมะกอกมีอายุกี่ปี", "มีอายุมากกว่าห้าร้อยปี"),
    "zh": ("橄榄树能活多少年？", "橄榄树能活五百年以上。"),
    "ja": ("オリーブの木は何年生きますか。", "五百年以上生きます。"),
    "ko": ("올리브 나무는 몇 년을 사나요?", "오백 년 이상 삽니다."),
    "de": ("Wie lange dauert die Umstellung?", "Sie dauert zwei Jahre vor der Aussaat."),
    "fr": ("Combien de temps dure la conversion ?", "Elle dure deux ans avant les semis."),
    "es": ("¿Cuánto dura el período de conversión?", "Dura dos años antes de la siembra."),
    "pl": ("Jak długo trwa okres konwersji?", "Trwa dwa lata przed siewem."),
    "tr": ("Dönüşüm süresi ne kadar sürer?", "Ekimden önce iki yıl sürer."),
    "hr": ("Kako dugo traje prijelaz?", "Prijelaz traje dvije godine. Masline se beru u listopadu i studenom."),
    "tl": ("Ilang taon ang itatagal ng puno ng oliba?", "Nabubuhay ito nang mahigit limang daang taon."),
}


@pytest.mark.parametrize("language", IN)
def test_two_sentences_show_their_language(language: str):
    assert recognised_language(IN[language]) == language


def test_short_questions_about_names_show_their_language():
    asked = ("Who wrote Hamlet?", "What is the capital of Peru?", "When did the war end?", "Who discovered penicillin?")
    assert recognised_language([*asked, "William Shakespeare", "Lima", "1945", "Alexander Fleming"]) == "en"


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("",),
        ("Paris", "1912", "yes", "no"),
        ("Marie Curie", "Albert Einstein"),
        ("ICD-10 ARDS", "x86-64"),
        ("3.14", "2,718", "42 %"),
        ("??", "!"),
        ("<div><br/></div>",),
    ],
)
def test_names_and_numbers_show_none(texts: tuple[str, ...]):
    assert recognised_language(texts) is None


def test_spoken_variants_are_no_languages_of_their_own():
    assert recognised_language(("北京",)) == "zh"
    assert recognised_language(("Wetin be di capital?",)) is None


def test_of_many_texts_the_whole_list_counts_and_not_its_beginning():
    """As many texts as are read begin in another language, and ten times as many follow."""
    texts = [*IN["bg"] * (MOST_TEXTS // 2), *IN["de"] * (5 * MOST_TEXTS)]
    assert recognised_language(texts) == "de"


def test_one_long_document_does_not_outweigh_the_questions():
    document = "The conversion period lasts two years before the sowing of annual crops. " * 2_000
    assert recognised_language([*IN["bg"] * 20, document]) == "bg"
