"""Abstentions about *this information*, and other short ones, as models write them: sentences written by hand."""

from __future__ import annotations

import pytest

from passer.domain.models.abstention import is_abstention


@pytest.mark.parametrize(
    "text",
    [
        "The context does not provide this information.",
        "The provided documents do not contain such details.",
        "Контекстът не съдържа тази информация.",
        "В предоставените пасажи няма такава информация.",
        "Тази информация не е налична в документите.",
        "Der Kontext enthält diese Information nicht.",
        "Diese Informationen sind in den Dokumenten nicht enthalten.",
        "Le contexte ne fournit pas cette information.",
        "Cette information n'est pas disponible dans les documents.",
        "El contexto no contiene esa información.",
        "Esta información no se encuentra en los documentos.",
        "Il contesto non contiene questa informazione.",
        "O contexto não fornece essa informação.",
        "Контекст не содержит этой информации.",
        "Контекст не містить цієї інформації.",
        "Kontekst nie zawiera tej informacji.",
        "Το κείμενο δεν περιέχει αυτή την πληροφορία.",
        "السياق لا يحتوي على هذه المعلومات.",
        "Hindi naglalaman ang konteksto ng ganitong impormasyon.",
    ],
)
def test_this_information_is_missing(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "Unable to answer based on the given passages.",
        "The passages do not directly answer this question.",
        "The provided documents do not contain enough verified information to answer this question reliably.",
        "The retrieved context is not sufficient to answer the question.",
        "I do not have any relevant context to answer the question, therefore I cannot provide an answer.",
        "I don't have access to that information.",
        "No relevant information.",
        "Insufficient evidence: nothing says so.",
        "Answer not in context.",
        "The notes do not cover it.",
        "Not found.",
        "Не е намерено.",
    ],
)
def test_short_abstentions(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "This information is in passage 2: the limit is 4 kg.",
        "Such information must be given to the buyer.",
        "No relevant information may be withheld from the inspector.",
        "Not found in nature, it is synthesised from benzene.",
        "Unable to fly, penguins swim.",
        "Two years are not sufficient to answer the requirements of Article 10.",
        "Notes do cover it: two years.",
        "Insufficient evidence leads to acquittal.",
        "Тази информация е в член 2: 4 кг.",
        "Diese Informationen müssen auf dem Etikett stehen.",
        "Cette information est conservée deux ans.",
        "Esta información se conserva dos años.",
        "Эта информация хранится два года.",
    ],
)
def test_answers_with_the_same_words_are_none(text: str) -> None:
    assert not is_abstention(text)
