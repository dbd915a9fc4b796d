"""Replies in the words of models of 7 to 8 billion parameters, labelled by hand: those that are easily mistaken."""

from __future__ import annotations

import pytest

from passer.domain.models.abstention import is_abstention

ABSTENTIONS = {
    "en": (
        "There are no data on copper.",
        "I don't know the answer to that question based on the given passages.",
        "Based on the information provided, it is not possible to determine the year.",
        "The passages discuss soil, but they do not mention who did it. Therefore, I cannot answer this question.",
        "I apologize, but the given documents do not include any details. It would be best to ask the ministry.",
        "As an AI language model, I don't have real-time data, so I cannot tell you the current price of wheat.",
        "I do not have enough context to determine how much copper may be used.",
        "The passages describe organic farming. They do not specify a copper limit. Thus, I cannot provide an answer.",
        "There's no information in the provided text about the price.",
        "The passage is about bees and has nothing to do with wheat prices. So I can't answer that.",
    ),
    "de": (
        "Auf Grundlage der gegebenen Informationen kann ich diese Frage nicht beantworten.",
        "Dazu liegen mir keine Informationen vor.",
        "Im Text wird nicht erwähnt, wie viele Betriebe teilgenommen haben.",
        "Anhand der vorliegenden Informationen lässt sich das nicht sagen.",
        "Ich habe dazu leider keine Informationen.",
        "Die Passagen beschreiben den Maisanbau. Daher kann ich die Frage nicht beantworten.",
        "Der Text enthält dazu keine Angaben.",
    ),
    "fr": (
        "Il n'est pas possible de répondre à cette question à partir des informations fournies.",
        "Malheureusement, je ne dispose pas de suffisamment d'informations pour répondre à votre question.",
        "Aucune information sur le prix n'est donnée dans les documents.",
        "Je n'ai pas trouvé de réponse à cette question dans le contexte.",
        "Le contexte ne permet pas de répondre à cette question.",
        "Sur la base des informations fournies, il est impossible de déterminer la date.",
        "Ce n'est pas mentionné dans le texte.",
    ),
    "bg": (
        "Нямам информация за това.",
        "Въз основа на контекста не е възможно да се определи датата.",
        "Предоставената информация не е достатъчна, за да отговоря.",
        "Пасажите описват отглеждането на царевица. Затова не мога да отговоря на въпроса.",
    ),
    "ru": (
        "На основе предоставленной информации невозможно ответить на этот вопрос.",
        "У меня нет информации об этом.",
        "Этой информации нет в предоставленном тексте.",
        "По данному тексту невозможно определить дату.",
    ),
    "zh": (
        "抱歉，提供的上下文中没有关于这个问题的信息。",
        "对不起，我没有足够的信息来回答您的问题。",
        "所给段落并未说明有多少农户参与。",
        "上下文描述了玉米种植。因此，我无法回答这个问题。",
        "很抱歉，我在文档中找不到相关信息。",
        "该信息在文中未提供。",
    ),
    "ja": (
        "申し訳ございませんが、その情報は見つかりませんでした。",
        "提供された文脈では、具体的な年は特定できません。",
        "情報が不足しているため、お答えできません。",
        "文脈はトウモロコシ栽培について説明しています。そのため、質問にはお答えできません。",
        "与えられた文脈からは判断できません。",
        "その質問に対する答えは文書に含まれていません。",
    ),
    "ar": (
        "لم أجد الإجابة في المستندات المقدمة.",
        "ليس لدي معلومات عن ذلك.",
        "المعلومات المقدمة غير كافية للإجابة على السؤال.",
        "هذه المعلومات غير موجودة في النص.",
    ),
    "es": (
        "Con la información proporcionada no es posible determinar la fecha.",
        "El contexto no habla de precios.",
    ),
}
ANSWERS = {
    "en": (
        "There are no data centres in Bulgaria.",
        "There is no information security law.",
        "I don't know, it is 4 kg.",
        "I don't know, Paris.",
        "I don't know who wrote it, it was Darwin.",
        "I don't know what the limit is; 4 kg.",
    ),
    "ja": (
        "正確にはわかりませんが、1本あたり約4kgです。",
        "わかりません、4kgです。",
        "わかりません。おそらく1ヘクタールあたり4kgです。",
        "資料には銅の記載がありません。上限は4kgです。",
        "わかりません。答えは4kgです。",
    ),
    "ar": (
        "لا يذكر السياق العدد الدقيق، لكنه يشير إلى أن أكثر من 60٪ من المزارع اعتمدت هذه الممارسة.",
        "لا أعرف. ربما 4 كيلوغرامات للهكتار.",
        "لا تذكر المقاطع النحاس. الحد الأقصى هو 4 كيلوغرامات.",
        "لا يحدد النص المحصول. يزهر الأرز في أغسطس.",
    ),
    "fr": ("Je ne sais pas, c'est 4 kg.",),
    "es": ("No sé, son 4 kg.",),
    "bg": ("Не знам, 4 кг са.",),
    "ru": (
        "Не знаю, 4 кг.",
        "Я не знаю. Вероятно, 4 кг на гектар.",
        "В отрывках не упоминается медь. Предел составляет 4 кг.",
        "В тексте не указана культура. Рис цветёт в августе.",
        "Не знаю. Ответ: 4 кг.",
    ),
    "zh": (
        "我不知道，是4公斤。",
        "我不知道。大概是每公顷4公斤。",
        "文中没有提到铜。限量是4公斤。",
        "文中未提及作物。水稻在八月开花。",
        "不知道。答案是4公斤。",
        "文档未提及铜。根据段落2，限量为4公斤。",
        "信息不得提供给第三方。",
    ),
    "de": ("Ich weiß es nicht, vermutlich Paris.",),
    "it": ("Non lo so, sono 4 kg.",),
    "pl": ("Nie wiem, 4 kg.",),
}


@pytest.mark.parametrize("text", [text for texts in ABSTENTIONS.values() for text in texts])
def test_an_abstention_in_other_words_is_one(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize("text", [text for texts in ANSWERS.values() for text in texts])
def test_an_answer_behind_a_comma_or_in_another_sentence_is_one(text: str) -> None:
    assert not is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't know, [1], [2].",
        "I don't know, as the passages only discuss bees.",
        "I don't know, sorry.",
        "I don't know who wrote it, when, or why.",
        "I do not know how much it costs, as the passages only discuss bees.",
        "I don't know which one",
        "Не знам, тъй като в текста не се говори за това.",
        "Не знаю, так как в тексте об этом не говорится.",
        "Non lo so, il testo non lo dice.",
        "不知道，文中没有说明。",
    ],
)
def test_a_reason_behind_a_comma_is_no_answer(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "The passages describe bees. The limit is 4 kg. Therefore, it is low.",
        "The limit is 4 kg. Therefore, I cannot recommend more.",
        "Sow in May. Therefore, I cannot determine a date in June.",
        "The passages say it is 4 kg. Therefore, I cannot find fault with 3 kg.",
    ],
)
def test_a_conclusion_of_an_answer_is_no_abstention(text: str) -> None:
    assert not is_abstention(text)
