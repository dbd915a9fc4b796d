"""pyntelope's bytes and signatures, run by the Python of .venvs/pyntelope: a JSON question in, a JSON answer out."""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any

import pyntelope
from pyntelope import types


def action(given: dict[str, Any], net: Any) -> Any:
    fields = given["data"]
    data = [
        pyntelope.Data(name="creator", value=types.Name(fields["creator"])),
        pyntelope.Data(name="testid", value=types.Name(fields["testid"])),
        pyntelope.Data(name="description", value=types.String(fields["description"])),
        pyntelope.Data(name="results", value=types.Array.from_dict(fields["results"], type_=types.Float64)),
    ]
    by = [pyntelope.Authorization(actor=fields["creator"], permission="active")]
    return pyntelope.Action(account=given["account"], name=given["name"], authorization=by, data=data).link(net)


def main() -> None:
    asked = json.load(sys.stdin)
    net = pyntelope.Net(host="http://127.0.0.1")
    transaction = pyntelope.LinkedTransaction(
        actions=[action(given, net) for given in asked["actions"]],
        net=net,
        chain_id=asked["chain_id"],
        ref_block_num=asked["ref_block_num"],
        ref_block_prefix=asked["ref_block_prefix"],
        expiration=datetime.datetime.fromisoformat(asked["expiration"]),
    )
    signed = transaction.sign(key=asked["key"])
    answer = {"packed": bytes(transaction).hex(), "id": transaction.id(), "signatures": list(signed.signatures)}
    json.dump(answer, sys.stdout)


main()
