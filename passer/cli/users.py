"""The commands `users`: accounts of a PaSSER that several people use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from passer.bootstrap import services
from passer.cli.arena_people import ADDRESS
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.errors import InputError, NotFoundError

RoleName = Literal["viewer", "researcher", "admin"]
Name = Annotated[str, typer.Argument(help="Name of the account: lowercase letters, digits and the characters . - _")]
PasswordFile = Annotated[
    Path | None, typer.Option(help="File with the password; without it, the command asks for the password.")
]


NO_ACCOUNTS = "There are no accounts, so nobody signs in. Add one with `passer users add NAME`."


def add(
    name: Name,
    role: Annotated[RoleName, typer.Option(help="viewer reads, researcher also runs, admin also manages.")] = "viewer",
    password_file: PasswordFile = None,
) -> None:
    """Add an account that may use the project of this command: `default`, or the one of `passer --project`."""
    from passer.domain.accounts.account import is_account_name
    from passer.domain.wording.sentence import sentence

    if not is_account_name(name):
        raise InputError(sentence("problem.value", problem=sentence("misfit.account-name")), field="name")
    password = _password(password_file)
    with services() as built:
        project = built.settings.project
        if project == DEFAULT_PROJECT:
            built.accounts.add(name, role=role, password=password)
        else:
            built.accounts.add(name, role=None, projects={project: role}, password=password)
    where = "" if project == DEFAULT_PROJECT else f" in the project {project}"
    note(f"Added the account {name} with the role {role}{where}.")


def listed(as_json: JsonOption = False) -> None:
    """List all accounts."""
    with services() as built:
        found = built.accounts.store.list_accounts()
    if as_json:
        print_json({"users": found})
        return
    rows = [
        (each.name, each.role or "-",
         ", ".join(f"{project} ({role})" for project, role in each.projects.items()) or "-",
         f"{each.signed_in_at:%Y-%m-%d}" if each.signed_in_at else "never")
        for each in found
    ]  # fmt: skip
    print_table(["name", "role", "other projects", "signed in"], rows, empty=NO_ACCOUNTS)


def change(
    name: Name,
    role: Annotated[RoleName | None, typer.Option(help="New role in the project of this command.")] = None,
    password: Annotated[bool, typer.Option("--password", help="Ask for a new password.")] = False,
    password_file: Annotated[Path | None, typer.Option(help="File with the new password.")] = None,
) -> None:
    """Change the role or the password of an account, which signs it out everywhere."""
    if role is None and not password and password_file is None:
        raise InputError("Nothing would change. Pass --role, --password or --password-file.")
    given = _password(password_file) if password or password_file else None
    with services() as built:
        if role is not None:
            built.accounts.set_role(name, built.settings.project, role, keep_an_admin=False)
        if given is not None:
            built.accounts.change(name, password=given)
    note(f"Changed the account {name}. It has to sign in again.")


def recover(
    name: Name,
    server: Annotated[str, typer.Option(help="Address under which the person reaches your PaSSER.")] = ADDRESS,
) -> None:
    """Print a link with which the owner of an account chooses a new password. It is valid once, for a day."""
    from passer.services.accounts.accounts import recovery_path

    with services() as built:
        link, secret = built.accounts.add_recovery(name)
    note(f"Send it to {name} alone. It is valid until {link.expires_at:%Y-%m-%d %H:%M} UTC and cannot be shown again:")
    print(server.rstrip("/") + recovery_path(secret))


def remove(name: Name) -> None:
    """Remove an account with its sessions and tokens; what it created is kept."""
    with services() as built:
        built.accounts.delete(name, keep_an_admin=False)
        has_accounts = built.accounts.store.has_accounts()
    note(f"Removed the account {name}." + ("" if has_accounts else " No account is left, so nobody signs in any more."))


def token(
    name: Name,
    purpose: Annotated[str, typer.Option(help="What the token is for.")] = "command line",
    scope: Annotated[RoleName, typer.Option(help="The most that the token may do.")] = "viewer",
    days: Annotated[int, typer.Option(help="Days until it expires.", min=1, max=3650)] = 90,
    only: Annotated[str | None, typer.Option(help="The only project that the token may use; default: all.")] = None,
) -> None:
    """Create a token for programs of an account, and print it once."""
    from datetime import timedelta

    from passer.domain.accounts.account import Caller

    with services() as built:
        if only is not None:
            built.projects.check(only)
        account = built.accounts.store.find_account(name)
        expires = built.adapters.clock.now() + timedelta(days=days)
        caller = Caller(account=name, role=account.highest_role)
        _, secret = built.accounts.add_token(caller, name=purpose, scope=scope, project=only, expires_at=expires)
    note(f"Send it as `Authorization: Bearer ...`. It expires on {expires:%Y-%m-%d} and cannot be shown again:")
    print(secret)


def identities(name: Name, as_json: JsonOption = False) -> None:
    """List the sign-ins of an account other than its password: identities at the provider and keys of wallets."""
    with services() as built:
        account = built.accounts.store.find_account(name)
        found = built.signing_in.identities.of_account(account.name)
    if as_json:
        print_json({"identities": found})
        return
    rows = [(each.id, each.issuer, each.subject, f"{each.added_at:%Y-%m-%d}") for each in found]
    print_table(["id", "issuer", "subject", "connected"], rows)


def connect(
    name: Name,
    subject: Annotated[str, typer.Argument(help="The person's `sub` at the identity provider of the settings.")],
) -> None:
    """Connect a person at the identity provider to an account, before this person signs in for the first time."""
    from passer.domain.accounts.identity import LONGEST_SUBJECT
    from passer.domain.wording.sentence import sentence

    if not 0 < len(subject) <= LONGEST_SUBJECT:
        raise InputError(f"A subject has 1 to {LONGEST_SUBJECT} characters. Copy it from the identity provider.")
    with services() as built:
        issuer = built.settings.oidc_issuer
        if issuer is None:
            raise NotFoundError(sentence("identity.no-provider"))
        made = built.signing_in.identities.join(name, issuer=issuer, subject=subject)
    note(f"{subject} of {issuer} signs in as {name} ({made.id}).")


def disconnect(
    name: Name, identity: Annotated[str, typer.Argument(help="Its id, as `passer users identities` lists it.")]
) -> None:
    """Remove an identity or a wallet's key from an account. It can no longer be used to sign in."""
    with services() as built:
        removed = built.signing_in.identities.remove(name, identity)
    note(f"Removed {removed.subject} of {removed.issuer} from {name}. Open sessions continue until they expire.")


def _password(file: Path | None) -> str:
    if file is None:
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"{file} cannot be read ({exc}). Check the path.") from exc
