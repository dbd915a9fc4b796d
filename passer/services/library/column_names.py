"""Names of columns in the files of other people: spellings of one name, and names in other languages than English."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from passer.domain.texts.words import composed
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, InputError

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BY_ENGLISH = {
    "id": "идентификатор identifiant identificador kennung frage_id fragen_id 编号 編號 序号 序號",
    "question": "въпрос frage pregunta вопрос 问题 問題 提问 提問",
    "answer": "отговор antwort réponse respuesta ответ 答案 回答",
    "reference": (
        "еталон еталонен_отговор верен_отговор правилен_отговор очакван_отговор "
        "referenz referenzantwort musterantwort musterlösung erwartete_antwort richtige_antwort "
        "référence réponse_de_référence réponse_attendue bonne_réponse réponse_correcte "
        "referencia respuesta_de_referencia respuesta_esperada respuesta_correcta "
        "эталон эталонный_ответ правильный_ответ ожидаемый_ответ "
        "参考答案 參考答案 标准答案 標準答案 正确答案 正確答案"
    ),
    "generated_answer": (
        "генериран_отговор отговор_на_модела generierte_antwort modellantwort réponse_générée réponse_du_modèle "
        "respuesta_generada respuesta_del_modelo сгенерированный_ответ ответ_модели "
        "模型回答 模型答案 生成答案 生成的答案"
    ),
    "contexts": "контекст kontext contexte contexto 上下文",
    "group": "група gruppe groupe grupo группа 分组 分組",
    "category": "категория kategorie catégorie categoría 类别 類別",
    "language": "език sprache langue idioma язык 语言 語言",
}
_ENGLISH = {name: english for english, names in _BY_ENGLISH.items() for name in names.split()}
"""English names by those in Bulgarian, Chinese, French, German, Russian and Spanish."""


def plain_name(column: str) -> str:
    """Return the English name of a column in small letters, its words joined by underscores; unknown ones keep theirs.

    *Model Output* is `model_output`, and *Antwort* `answer`.
    """
    plain = _CAPITAL.sub("_", composed(column).strip()).lower().replace(" ", "_").replace("-", "_")
    return _ENGLISH.get(plain, plain)


def by_plain_name(row: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Return a row with the known columns under their plain names; DatasetError for two columns of one name."""
    found, first = dict[str, Any](), dict[str, str]()
    for name, value in row.items():
        plain = plain_name(name)
        key = plain if plain in known and plain not in row else name
        if key in found:
            columns = f"{first[key]}, {name}"
            raise DatasetError(sentence("dataset.columns-rival", columns=columns, name=key), field=name)
        found[key], first[key] = value, name
    return found


def renamed(
    rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], aliases: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return rows with chosen columns under the names by which they are read, without others that mean the same.

    `columns` maps these names to columns of the file, `aliases` to what else would be read as each. InputError for
    another name, DatasetError for a column that the file lacks.
    """
    _check_chosen(columns, {column for row in rows for column in row}, aliases)
    named = {column: name for name, column in columns.items()}
    others = {alias for name in columns for alias in (name, *aliases[name])}
    return [
        {named.get(key, key): cell for key, cell in row.items() if key in named or plain_name(key) not in others}
        for row in rows
    ]


def _check_chosen(columns: Mapping[str, str], found: Container[str], names: Collection[str]) -> None:
    for name, column in columns.items():
        if name not in names:
            raise InputError(sentence("dataset.column-unknown", name=name, known=", ".join(names)), field=name)
        if column not in found:
            raise DatasetError(sentence("dataset.column-absent", column=column, name=name), field=column)
