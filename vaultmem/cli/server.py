"""proxy."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from vaultmem import api, config, models, server
from vaultmem.base import TYPE_CHECKING, VaultmemError
from vaultmem.cli.failures import until_stopped
from vaultmem.cli.open_vault import clock
from vaultmem.cli.options import Shared, with_shared
from vaultmem.cli.output import as_plain, say_now, say_result, tell, warn

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import TurnReport
    from vaultmem.server import Place, Upstream, Upstreams

PORT = 8377
TOKEN_FILE = "proxy-token"
_WRITERS = ("person", "agent", "import")


@click.command("proxy")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    default=PORT,
    show_default=True,
    help="Where it listens; 0 takes any that is free.",
)
@click.option("--token", "only_token", is_flag=True, help="Print the token, and serve nothing.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address it listens at.")
@click.option("--name", "names", multiple=True, metavar="NAME", help="A name it is asked by.")
@click.option("--certificate", type=click.Path(path_type=Path), help="Of TLS, for other machines.")
@click.option("--key", type=click.Path(path_type=Path), help="Of the certificate.")
@click.option(
    "--writer", type=click.Choice(_WRITERS), default="person", help="Whose words the user's are."
)
@with_shared
def proxy_command(
    shared: Shared,
    port: int,
    only_token: bool,
    host: str,
    names: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
    writer: str,
) -> int:
    """Give any client of a model this memory, until Ctrl-C.

    Clients of OpenAI's or Anthropic's API get the address that is printed as their base URL, and
    the token as their key. What the vault knows goes into each request, which goes on to the chat
    model of your settings; each exchange is remembered as a turn of a session.

    \b
    vaultmem proxy
    OPENAI_BASE_URL=http://127.0.0.1:8377/v1 OPENAI_API_KEY=$(vaultmem proxy --token) my-client
    """
    place = server.Place(host=host, port=port, names=names, certificate=certificate, key=key)
    server.require_safe(place)
    settings = config.open_settings(shared.vault)
    warn(settings.warnings)
    if only_token:
        return _show_token(settings, as_json=shared.as_json)
    return _serve(settings, place, shared.as_json, writer)


def _show_token(settings: Settings, *, as_json: bool) -> int:

    file = config.make_state_folder(settings.state) / TOKEN_FILE
    token, _ = server.token_in(file)
    return say_result({"token": token, "token_file": file}, [token], as_json=as_json)


def upstreams_of(settings: Settings) -> Upstreams:
    """The servers that the person's settings name; raises SettingsError where there is none."""
    found = server.Upstreams(*(_upstream(settings, kind) for kind in ("openai", "anthropic")))
    if found == (None, None):
        models.require_chat(settings)  # says what is missing
    return found


def _upstream(settings: Settings, provider: str) -> Upstream | None:
    """The one that is asked in this way."""
    own = config.model_settings(settings.values, config.CHAT)
    asked = config.upstream_settings(settings.values, provider)
    is_named = asked is not None and asked.prefix.startswith("proxy.")
    # A model of texts answers chats in its own way, and so does a recording.
    is_ours = own.provider == "anthropic" or (own.provider == "openai" and own.record != "off")
    if provider == "openai" and is_ours and not is_named:
        own = models.require_chat(settings)
        return models.Translating(models.make_model(own, state=settings.state), own.model)
    if asked is None or (not is_named and asked.record != "off"):
        return None
    config.require_network(settings, "passing requests on to a model", target=asked.base_url)
    return models.Forwarding(asked)


def _serve(settings: Settings, place: Place, as_json: bool, writer: str) -> int:

    try:
        from vaultmem.server import Proxy  # saves 211 modules
    except ImportError as error:
        raise server.missing(str(error.name)) from error
    upstreams = upstreams_of(settings)

    def open_memory() -> api.Memory:

        return api.Memory(settings=settings, clock=clock())

    file = config.make_state_folder(settings.state) / TOKEN_FILE
    token, _ = server.token_in(file)
    teller = _Teller(as_json=as_json, zone=settings.timezone)
    threads = (
        server.MemoryThread("memory for replies", open_memory),
        server.MemoryThread("turns", open_memory),
    )
    reading, keeping = threads
    try:
        for thread in threads:
            thread.submit(lambda memory: memory.root).result()  # a vault that does not open says so
        proxy = Proxy(
            upstreams,
            reading=reading,
            keeping=keeping,
            writer=writer,
            kept=teller.tell_kept,
            failed=teller.tell_failure,
        )
        serving = server.Serving(server.with_guard(proxy.app(), place, token=token), place)
        with server.listening(place) as bound:
            teller.began(server.address_of(place, bound), upstreams, file, settings.root)
            # Uvicorn has handlers of its own meanwhile, and then hands on what it caught.
            code = until_stopped(lambda: serving.run(bound), serving.stop)
    finally:
        for thread in threads:
            thread.close()
    if not as_json:
        say_now("stopped")
    return code


class _Teller:
    """Says at once what happens."""

    def __init__(self, *, as_json: bool, zone: str) -> None:
        self._as_json, self._zone = as_json, zone

    def began(self, url: str, upstreams: Upstreams, token_file: Path, vault: Path) -> None:
        """Where clients find it, and what is behind it."""
        upstream, other = upstreams.openai or upstreams.anthropic, upstreams.anthropic
        assert upstream is not None  # or it would not have begun
        if self._as_json:
            self._json(
                {
                    "url": url,
                    "token_file": token_file,
                    "forwards_to": upstream.where,
                    "messages_to": other.where if other else None,
                    "model": upstream.model,
                    "vault": vault,
                }
            )
            return
        say_now(f"listening at {url}")
        say_now(f"  token       in {token_file}")
        model = f", model {upstream.model}" if upstream.model else ""
        say_now(f"  forwards to {upstream.where}{model}")
        if other and other.where != upstream.where:
            say_now(f"  messages    to {other.where}")
        say_now(f"  remembers   in {vault}")
        say_now("Ctrl-C stops it")

    def tell_kept(self, report: TurnReport) -> None:
        """A turn was kept."""
        if self._as_json:
            self._json(report)
        else:
            say_now(server.said_of(report))

    def tell_failure(self, error: BaseException) -> None:
        """A turn was not kept: it is the one thing that a client does not hear of."""
        if isinstance(error, VaultmemError):
            tell(f"warning: a turn was not remembered: {error.message}")
            if error.hint:
                tell(f"hint: {error.hint}")
        else:
            import traceback

            traceback.print_exception(error)
            tell("error: this is a bug in vaultmem; a turn was not remembered")

    def _json(self, value: object) -> None:
        import json

        sys.stdout.write(f"{json.dumps(as_plain(value, self._zone))}\n")
        sys.stdout.flush()
