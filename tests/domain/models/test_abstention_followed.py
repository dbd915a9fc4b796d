"""Replies that say the answer is not known and go on: 60 cases, labelled before the rule was written."""

from __future__ import annotations

import pytest

from passer.domain.models.abstention import ABSTENTION, is_abstention

ANSWERS = {
    "en": (
        "The passages do not mention copper. The limit is 4 kg.",
        "I don't know. Probably 4 kg per hectare and year.",
        "The context does not specify the crop. Rice flowers in August.",
        f"{ABSTENTION} Copper is limited to 28 kg over seven years.",
        "The text does not give an exact date. According to passage 2, sowing begins in May.",
        "There is no information about wine in the passages. Organic farmers may use up to 4 kg of copper a year.",
    ),
    "bg": (
        "Пасажите не споменават мед. Границата е 4 кг на хектар.",
        "Не знам. Вероятно 4 кг на хектар годишно.",
        "Текстът не посочва културата. Оризът цъфти през август.",
        "В пасажите няма информация за виното. Земеделците могат да използват до 4 кг мед годишно.",
        "Контекстът не дава отговор. Според чл. 5 разрешението важи три години.",
        f"{ABSTENTION} Медта е ограничена до 28 кг за седем години.",
    ),
    "de": (
        "Die Passagen erwähnen Kupfer nicht. Der Grenzwert beträgt 4 kg.",
        "Ich weiß es nicht. Vermutlich sind es 4 kg je Hektar.",
        "Der Text nennt die Kultur nicht. Reis blüht im August.",
        "Es gibt keine Angaben zu Wein. Landwirte dürfen jährlich bis zu 4 kg Kupfer verwenden.",
        "Der Kontext enthält keine Antwort. Laut Art. 5 gilt die Zulassung drei Jahre.",
        f"{ABSTENTION} Kupfer ist auf 28 kg in sieben Jahren begrenzt.",
    ),
    "es": (
        "Los pasajes no mencionan el cobre. El límite es de 4 kg.",
        "No lo sé. Probablemente sean 4 kg por hectárea.",
        "El texto no especifica el cultivo. El arroz florece en agosto.",
        "No hay información sobre el vino. Los agricultores pueden usar hasta 4 kg de cobre al año.",
        "El contexto no contiene la respuesta. Según el art. 5, la autorización dura tres años.",
        f"{ABSTENTION} El cobre está limitado a 28 kg en siete años.",
    ),
    "fr": (
        "Les passages ne mentionnent pas le cuivre. La limite est de 4 kg.",
        "Je ne sais pas. Sans doute 4 kg par hectare.",
        "Le texte ne précise pas la culture. Le riz fleurit en août.",
        "Il n'y a pas d'information sur le vin. Les agriculteurs peuvent utiliser jusqu'à 4 kg de cuivre par an.",
        "Le contexte ne contient pas la réponse. Selon l'art. 5, l'autorisation dure trois ans.",
        f"{ABSTENTION} Le cuivre est limité à 28 kg sur sept ans.",
    ),
}
ABSTENTIONS = {
    "en": (
        "I don't know. The passages only discuss bees.",
        f"{ABSTENTION} They focus on maize, cf. Fig. 2 and Art. 5 of the regulation.",
        "The passages do not mention copper. Please provide more context.",
        "I cannot determine the limit. The provided text is about bees. No limit is mentioned.",
        "The context does not provide enough information to answer. Therefore, I cannot answer the question.",
        "Not enough information. If you have further documents, I can look again. Would you like that?",
    ),
    "bg": (
        "Не знам. Пасажите говорят само за пчели.",
        "Пасажите не споменават мед. Те описват отглеждането на царевица, вж. фиг. 2 и чл. 5.",
        "Предоставеният контекст не съдържа достатъчно информация. Моля, предоставете още текст.",
        "Не мога да определя границата. В текста не е посочена граница.",
        "В пасажите няма информация за медта. Следователно не мога да отговоря на въпроса.",
        "Няма информация за това. Ако имате други документи, мога да ги прегледам.",
    ),
    "de": (
        "Ich weiß es nicht. Die Passagen handeln nur von Bienen.",
        "Die Passagen erwähnen Kupfer nicht. Sie beschreiben den Maisanbau, vgl. Abb. 2 und Art. 5.",
        "Der Kontext enthält keine Angaben zu Kupfer. Bitte geben Sie weitere Texte an.",
        "Ich kann die Grenze nicht bestimmen. In den Texten wird kein Grenzwert genannt.",
        "Leider enthält der Text keine Informationen dazu. Daher kann ich die Frage nicht beantworten.",
        "Es gibt keine Angaben dazu. Wenn Sie weitere Dokumente haben, kann ich diese prüfen.",
    ),
    "es": (
        "No lo sé. Los pasajes solo hablan de abejas.",
        "Los pasajes no mencionan el cobre. Describen el cultivo del maíz, véase la fig. 2 y el art. 5.",
        "El contexto no incluye información sobre el cobre. Por favor, proporcione más textos.",
        "No puedo determinar el límite. En el texto no se indica ningún límite.",
        "Lamentablemente, el texto no contiene la respuesta. Por lo tanto, no puedo responder a la pregunta.",
        "No hay información sobre eso. Si tiene otros documentos, puedo revisarlos.",
    ),
    "fr": (
        "Je ne sais pas. Les passages parlent seulement des abeilles.",
        "Les passages ne mentionnent pas le cuivre. Ils décrivent la culture du maïs, cf. fig. 2 et art. 5.",
        "Le contexte ne contient pas d'information sur le cuivre. Veuillez fournir d'autres textes.",
        "Je ne peux pas déterminer la limite. Aucune limite n'est indiquée dans les textes.",
        "Malheureusement, le texte ne donne pas la réponse. Par conséquent, je ne peux pas répondre à la question.",
        "Il n'y a pas d'information à ce sujet. Si vous avez d'autres documents, je peux les examiner.",
    ),
}


@pytest.mark.parametrize("text", [text for texts in ANSWERS.values() for text in texts])
def test_who_then_answers_has_not_abstained(text: str) -> None:
    assert not is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not mention copper. According to passage 2, the limit is 4 kg.",
        "Пасажите не споменават мед. Според пасаж 2 границата е 4 кг.",
        "Die Passagen erwähnen Kupfer nicht. Laut Passage 2 beträgt der Grenzwert 4 kg.",
        "Los pasajes no mencionan el cobre. Según el pasaje 2, el límite es de 4 kg.",
        "Les passages ne mentionnent pas le cuivre. Selon le passage 2, la limite est de 4 kg.",
    ],
)
def test_what_a_passage_says_is_an_answer(text: str) -> None:
    """Words for a passage are common to languages: those of each are tried on each sentence."""
    said = text.partition(". ")[0]
    assert is_abstention(f"{said}.")
    assert not is_abstention(text)


@pytest.mark.parametrize("text", [text for texts in ABSTENTIONS.values() for text in texts])
def test_what_only_explains_an_abstention_is_one(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{ABSTENTION} The correct answer is B.",
        "The passages do not mention copper. Based on general knowledge, the answer is 4 kg.",
        "I don't know. The most likely answer to the question: 4 kg",
        "Не знам. Отговорът е 4 кг.",
        "Пасажите не споменават мед. По общи познания отговорът на въпроса е 4 кг.",
        "Ich weiß es nicht. Die Antwort auf die Frage lautet 4 kg.",
        "No lo sé. La respuesta es 4 kg.",
        "Je ne sais pas. La réponse à la question est 4 kg.",
    ],
)
def test_a_sentence_that_says_what_the_answer_is_gives_one(text: str) -> None:
    assert not is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't know. The answer is not in the passages.",
        "I don't know. The answer is missing.",
        "I don't know. [1] [2]",
        "I don't know. The answer to this question is unknown.",
        "I don't know. To answer the question, more context is needed.",
        "Не знам. Отговорът е извън текста.",
        "Не знам. Отговорът не е посочен.",
        "Ich weiß es nicht. Die Antwort ist unbekannt.",
        "No lo sé. La respuesta es desconocida.",
        "Je ne sais pas. La réponse est inconnue.",
    ],
)
def test_a_sentence_that_says_that_there_is_no_answer_gives_none(text: str) -> None:
    assert is_abstention(text)
