"""Pairs in many scripts, and independent oracles of `unicode-1`: uniseg cuts, the libraries score its tokens."""

from __future__ import annotations

import unicodedata
from typing import Any

ONE_WORD: dict[str, tuple[str, str]] = {
    "Cyrillic": ("Земеделието опазва почвата, водата и хората.", "Земеделието замърсява почвата, водата и хората."),
    "Greek": ("Το έδαφος είναι υγιές και γόνιμο.", "Το έδαφος είναι υγιές και άγονο."),
    "Arabic": ("التربة السليمة تحفظ الماء والكربون.", "التربة السليمة تفقد الماء والكربون."),
    "Hebrew": ("הקרקע הבריאה שומרת על המים.", "הקרקע הבריאה מאבדת על המים."),
    "Devanagari": ("स्वस्थ मिट्टी पानी को बचाती है।", "स्वस्थ मिट्टी पानी को खोती है।"),
    "Tamil": ("நல்ல மண் தண்ணீரைச் சேமிக்கிறது.", "நல்ல மண் தண்ணீரை இழக்கிறது."),
    "Thai": ("ดินที่ดีช่วยเก็บน้ำไว้ให้พืช", "ดินที่แย่ช่วยเก็บน้ำไว้ให้พืช"),
    "Lao": ("ດິນດີເກັບນ້ໍາໄວ້ໃຫ້ພືດ", "ດິນດີເສຍນ້ໍາໄວ້ໃຫ້ພືດ"),
    "Khmer": ("ដីល្អរក្សាទឹកសម្រាប់ដំណាំ", "ដីល្អបាត់ទឹកសម្រាប់ដំណាំ"),
    "Myanmar": ("ကောင်းသောမြေသည်ရေကိုထိန်းသည်", "ကောင်းသောမြေသည်ရေကိုဆုံးရှုံးသည်"),
    "Han": ("健康的土壤能保持水分。", "健康的土壤会失去水分。"),
    "Kana": ("よい土は水を保つ。カリウムも残る。", "よい土は水を失う。カリウムも残る。"),
    "Hangul": ("건강한 토양은 물을 저장합니다.", "건강한 토양은 물을 잃습니다."),
    "Vietnamese": ("Đất cát ẩm giữ nước cho cây.", "Đặt cốt ấm giữ nước cho cây."),
    "Czech": ("Řeka přináší živiny na pole.", "Žeka přináší živiny na pole."),
    "Polish": ("Zdrowa gleba zatrzymuje wodę.", "Zdrowa gleba traci wodę."),
    "mixed": ("NPK肥料增加小麦 wheat yield, 5 %", "NPK肥料减少小麦 wheat yield, 5 %"),
    "regulation": ("Regulation (EU) 2018/848 Annex II: забранено", "Regulation (EU) 2018/848 Annex II: разрешено"),
}  # fmt: skip
"""A text, and the same with one word changed."""

UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "IDEOGRAPHIC")
"""How Unicode's names of the letters of such scripts begin."""


def tokens(text: str, *, fold: bool, punctuation: bool) -> list[str]:
    """Tokens of the rule as the documentation states it, cut by uniseg."""
    from uniseg.graphemecluster import grapheme_clusters
    from uniseg.wordbreak import words

    found: list[str] = []
    clusters = ""
    for word in [*words(unicodedata.normalize("NFC", text)), ""]:
        if word and word[0].isalpha() and unicodedata.name(word[0]).startswith(UNSPACED):
            clusters += word
            continue
        found += [*_joined(list(grapheme_clusters(clusters))), word]
        clusters = ""
    kinds = [{unicodedata.category(character)[0] for character in token} for token in found]
    kept = [token for token, kind in zip(found, kinds, strict=True) if kind & set("LMN" + "PS" * punctuation)]
    return [token.casefold() for token in kept] if fold else kept


def _joined(clusters: list[str]) -> list[str]:
    """Khmer's letters below join the one above since Unicode 17; uniseg knows Unicode 16."""
    found: list[str] = []
    for cluster in clusters:
        if found and found[-1].endswith("\u17d2"):
            found[-1] += cluster
        else:
            found.append(cluster)
    return found


def clusters(text: str) -> list[str]:
    """What a reader takes for one character each."""
    from uniseg.graphemecluster import grapheme_clusters

    return _joined(list(grapheme_clusters(unicodedata.normalize("NFC", text))))


class Tokenizer:
    """For rouge-score: its own scores over other tokens."""

    def tokenize(self, text: str) -> list[str]:
        return tokens(text, fold=True, punctuation=False)


class NoStems:
    def stem(self, word: str) -> str:
        return word


class NoSynonyms:
    def synsets(self, word: str) -> list[Any]:
        return []
