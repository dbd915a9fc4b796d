"""The commands `serve`, `doctor`, `backup` and `restore`."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.output import EngineOption, JsonOption, note, print_json, print_table
from passer.domain.wording.counted import counted
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.adapters.archive.listing import BackupListing
    from passer.ports import Part

KEPT_S = 75
"""Seconds that an idle connection is kept; proxies close theirs after 60."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    insecure_listen: Annotated[
        bool,
        typer.Option(
            "--insecure-listen",
            help="Accept unencrypted connections from other machines. Everybody must sign in: see `passer users`.",
        ),
    ] = False,
    engine: EngineOption = None,
) -> None:
    """Start the server with the browser application."""
    if host not in LOOPBACK and not insecure_listen:
        raise ConfigError(
            f"Listening on {host} sends passwords over the network without encryption. Put a proxy with TLS before "
            "PaSSER, or add --insecure-listen to confirm."
        )
    from passer.domain.collector import share_heaps

    share_heaps()
    if insecure_listen:
        os.environ["PASSER_INSECURE_LISTEN"] = "1"
    if engine:
        os.environ["PASSER_ENGINE"] = engine
    _listen(host, port)


def _check_free(host: str, port: int) -> None:
    """Raise ConfigError for an address that cannot be used, which the server would report without an advice."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as exc:
        raise ConfigError(
            f"PaSSER cannot listen on {host}, port {port} ({os.strerror(exc.errno or 0)}). Stop the program that uses "
            "this port, or choose another one with --port."
        ) from exc


def _listen(host: str, port: int) -> None:
    """Serve until a signal ends it."""
    import uvicorn

    from passer.settings import Settings

    # The application is named, not imported: cli may not import api. It keeps idle connections open for longer than
    # proxies do, so that none sends its next request on a connection that is being closed.
    config = uvicorn.Config(
        "passer.api.app:serving", factory=True, host=host, port=port, log_level="warning", timeout_keep_alive=KEPT_S
    )
    # Settings that do not fit are refused here, before PaSSER is said to run.
    config.load()
    _check_free(host, port)
    home = Settings.of_environment().home
    note(f"PaSSER runs at http://{host}:{port} with data in {home}. Press Ctrl-C to save and stop.")
    server = uvicorn.Server(config)
    # A Ctrl-C ends it as wanted; the server raises it again after its own stop.
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        raise typer.Exit(1)


def mcp() -> None:
    """Give coding agents six tools that read sweeps, verdicts, questions, comparisons, plans and documentation.

    An agent that speaks the Model Context Protocol starts this command and talks to it on standard input and output.
    If PaSSER has accounts, set PASSER_TOKEN to an access token.
    """
    # Imported by name: cli may not import api.
    import_module("passer.api.agent_tools").serve()


def doctor(as_json: JsonOption = False) -> None:
    """List available and missing components, with the command that installs each missing one."""
    with services() as built:
        parts = built.diagnostics.parts()
    if as_json:
        print_json({"parts": parts})
    else:
        rows = [(part.name, _state_of(part), part.detail, part.command or "") for part in parts]
        print_table(["component", "state", "details", "command"], rows)
    if not all(part.ok for part in parts if part.required):
        raise typer.Exit(1)


def _state_of(part: Part) -> str:
    if part.ok:
        return "ok"
    if not part.is_configured:
        return "not configured"
    return "MISSING" if part.required else "not available"


def backup(
    file: Annotated[Path, typer.Argument(help="File to write, such as passer-backup.zip.")],
    as_json: JsonOption = False,
) -> None:
    """Back up PASSER_HOME with all projects, or one with `passer --project`, to one file, also while a server runs."""
    from passer.bootstrap.archive import back_up
    from passer.settings import Settings

    settings = Settings.of_environment()
    listing = back_up(settings, file)
    files, size = counted(len(listing.files), "file"), f"{listing.size / 1e6:.1f} MB"
    words = f"Wrote {file}: {files} of {settings.project_home}, {size} unpacked."
    _print_listing(listing, words, as_json=as_json)


def restore(
    file: Annotated[Path, typer.Argument(help="File written by `passer backup`.")],
    as_json: JsonOption = False,
) -> None:
    """Restore PASSER_HOME, or a project with `passer --project`, from a backup; the folder must be new or empty."""
    from passer.bootstrap.archive import restore as restored
    from passer.settings import Settings

    settings = Settings.of_environment()
    listing = restored(settings, file)
    files = counted(len(listing.files), "file")
    words = f"Restored {settings.project_home} as of {listing.made_at:%Y-%m-%d, %H:%M} UTC ({files})."
    _print_listing(listing, words, as_json=as_json)


def _print_listing(listing: BackupListing, words: str, *, as_json: bool) -> None:
    print_json(listing) if as_json else note(words)
