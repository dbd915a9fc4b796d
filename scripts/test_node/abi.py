"""A contract's ABI as `setabi` takes it: the JSON definition, packed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from passer.antelope.format.packing import Packer
from passer.errors import InputError


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Alias(_Part):
    new_type_name: str
    type: str


class _Field(_Part):
    name: str
    type: str


class _Struct(_Part):
    name: str
    base: str = ""
    fields: Sequence[_Field] = ()


class _Action(_Part):
    name: str
    type: str
    ricardian_contract: str = ""


class _Table(_Part):
    name: str
    index_type: str = "i64"
    key_names: Sequence[str] = ()
    key_types: Sequence[str] = ()
    type: str


class _Clause(_Part):
    id: str
    body: str


class _Variant(_Part):
    name: str
    types: Sequence[str]


class _Result(_Part):
    name: str
    result_type: str


class _Abi(_Part):
    version: str
    types: Sequence[_Alias] = ()
    structs: Sequence[_Struct] = ()
    actions: Sequence[_Action] = ()
    tables: Sequence[_Table] = ()
    ricardian_clauses: Sequence[_Clause] = ()
    variants: Sequence[_Variant] = ()
    action_results: Sequence[_Result] = ()


def packed_abi(definition: Mapping[str, Any]) -> bytes:
    """The packed form of an ABI's JSON; error messages and extensions, which nothing here uses, are left out."""
    try:
        abi = _Abi.model_validate(definition)
    except ValidationError as exc:
        raise InputError("Give a contract's ABI as its compiler wrote it: this JSON is none.") from exc
    packer = Packer().string(abi.version)
    packer.list(abi.types, lambda out, alias: out.string(alias.new_type_name).string(alias.type))
    packer.list(abi.structs, _struct)
    packer.list(
        abi.actions, lambda out, action: out.name(action.name).string(action.type).string(action.ricardian_contract)
    )
    packer.list(abi.tables, _table)
    packer.list(abi.ricardian_clauses, lambda out, clause: out.string(clause.id).string(clause.body))
    packer.varuint32(0).varuint32(0)
    packer.list(abi.variants, lambda out, variant: out.string(variant.name).list(variant.types, Packer.string))
    packer.list(abi.action_results, lambda out, result: out.name(result.name).string(result.result_type))
    return packer.packed()


def _struct(packer: Packer, struct: _Struct) -> None:
    packer.string(struct.name).string(struct.base)
    packer.list(struct.fields, lambda out, field: out.string(field.name).string(field.type))


def _table(packer: Packer, table: _Table) -> None:
    packer.name(table.name).string(table.index_type)
    packer.list(table.key_names, Packer.string).list(table.key_types, Packer.string).string(table.type)
