"""Real transports on this machine: what a server can do wrong, and what must not reach it."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests.devices.devices import Device, connected, hub
from vaultmem.base.errors import (
    BadInputError,
    LocalOnlyError,
    RemoteDeniedError,
    RemoteProtocolError,
    RemoteUnreachableError,
    VaultmemError,
)
from vaultmem.config.remotes import shown_url

_WHERE = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True)
BACKEND = Path(_WHERE.stdout.strip(), "git-http-backend")

pytestmark = pytest.mark.skipif(not BACKEND.exists(), reason="no git-http-backend here")


class Server(BaseHTTPRequestHandler):
    """git-http-backend behind a mode in which it misbehaves."""

    project: ClassVar[Path]
    mode: ClassVar[str] = "well"
    elsewhere: ClassVar[str] = ""
    seen: ClassVar[list[tuple[str, str]]] = []
    release: ClassVar[threading.Event]

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(body)

    def _answer(self, body: bytes) -> None:
        self.seen.append((self.path, self.headers.get("Authorization", "")))
        if self.mode == "hang":
            self.release.wait(60)
            return
        if self.mode == "redirect":
            self.send_response(302)
            self.send_header("Location", self.elsewhere + self.path)
            self.end_headers()
            return
        wanted = "Basic " + base64.b64encode(b"ada:right").decode()
        if self.mode == "password" and self.headers.get("Authorization") != wanted:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="notes"')
            self.end_headers()
            return
        out = self._backend(body)
        if self.mode == "reset" and self.command == "POST":
            self.wfile.write(out[: len(out) // 2])
            self.connection.close()
            return
        self.wfile.write(out)

    def _backend(self, body: bytes) -> bytes:
        path, _, query = self.path.partition("?")
        env = os.environ | {
            "GIT_PROJECT_ROOT": str(self.project),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "ada",
            "REMOTE_ADDR": "127.0.0.1",
        }
        done = subprocess.run([str(BACKEND)], input=body, env=env, capture_output=True, check=False)
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        status = b"200 OK"
        lines = []
        for line in head.split(b"\r\n"):
            if line.startswith(b"Status: "):
                status = line.removeprefix(b"Status: ")
            else:
                lines.append(line)
        size = b"Content-Length: %d" % len(rest)
        return b"\r\n".join([b"HTTP/1.0 " + status, *lines, size, b"", rest])

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@contextmanager
def serving(project: Path) -> Iterator[type[Server]]:
    """A server on the loopback; its class says what it saw, and takes its mode."""

    class Here(Server):
        seen: ClassVar[list[tuple[str, str]]] = []
        release = threading.Event()

    Here.project = project
    server = ThreadingHTTPServer(("127.0.0.1", 0), Here)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Here.elsewhere = ""
    Here.address = f"http://127.0.0.1:{server.server_address[1]}"  # type: ignore[attr-defined]
    try:
        yield Here
    finally:
        Here.release.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def device(tmp_path: Path) -> Device:
    [found] = connected(tmp_path, "laptop")
    subprocess.run(
        ["git", "config", "http.receivepack", "true"], cwd=tmp_path / "hub.git", check=True
    )
    with found.memory() as memory:
        memory.remember("I like tea.")
    return found


def url_of(server: type[Server]) -> str:
    return f"{server.address}/hub.git"  # type: ignore[attr-defined]


def test_push_and_pull_over_http(device: Device, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        device.pin(url_of(server))
        assert device.push().pushed
        other = Device(tmp_path, "phone")
        other.receive(url_of(server))
        assert other.files() == device.files()


def test_a_missing_password_is_an_error_and_asks_nothing(device: Device, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.mode = "password"
        device.pin(url_of(server))
        with pytest.raises(RemoteDeniedError) as denied:
            device.push()
        assert denied.value.exit_code == 77


def test_the_credential_helper_of_the_person_is_used_and_that_of_the_vault_is_not(
    device: Device, tmp_path: Path
) -> None:
    marker = tmp_path / "executed"
    helper = "!f() { echo username=ada; echo password=right; }; f"
    subprocess.run(["git", "config", "--global", "credential.helper", helper], check=True)
    device.git("config", "credential.helper", f"!touch {marker}")
    device.git("config", "core.sshCommand", f"touch {marker}")
    with serving(tmp_path) as server:
        server.mode = "password"
        device.pin(url_of(server))
        assert device.push().pushed
    assert not marker.exists()


def test_a_redirect_to_another_host_is_not_followed(device: Device, tmp_path: Path) -> None:
    helper = "!f() { echo username=ada; echo password=right; }; f"
    subprocess.run(["git", "config", "--global", "credential.helper", helper], check=True)
    with serving(tmp_path) as trap, serving(tmp_path) as server:
        server.mode, server.elsewhere = "redirect", trap.address  # type: ignore[attr-defined]
        device.pin(url_of(server))
        with pytest.raises(RemoteDeniedError, match="another address"):
            device.push()
        assert trap.seen == []


def test_a_server_that_hangs_is_given_up(device: Device, tmp_path: Path) -> None:
    config = device.home / "config" / "vaultmem" / "config.toml"
    with serving(tmp_path) as server:
        device.pin(url_of(server))
        config.write_text("[network]\ndeadline = 1.0\n\n" + config.read_text())
        server.mode = "hang"
        with pytest.raises(RemoteUnreachableError, match="did not finish within 1 s"):
            device.push()
        server.release.set()


def test_a_connection_that_breaks_off_loses_nothing(device: Device, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        device.pin(url_of(server))
        server.mode = "reset"
        with pytest.raises(VaultmemError):
            device.push()
        server.mode = "well"
        device.push()
        other = Device(tmp_path, "phone")
        other.receive(url_of(server))
        assert other.files() == device.files()
    assert device.git("fsck", "--full") == ""


def test_nobody_there(device: Device) -> None:
    device.pin("http://127.0.0.1:9/hub.git")
    with pytest.raises(RemoteUnreachableError) as unreachable:
        device.push()
    assert unreachable.value.exit_code == 69
    device.pin(device.home / "nothing.git")
    with pytest.raises(RemoteUnreachableError, match="no repository"):
        device.pull()


def test_an_empty_remote_has_nothing_to_pull(device: Device, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    device.pin(hub(tmp_path / "new"))
    assert device.pull().incoming == 0
    assert device.push().pushed


def test_a_remote_with_another_object_format_is_named(device: Device, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", "-b", "main", "--object-format=sha256", other], check=True)
    (other / "a.md").write_text("a")
    subprocess.run(["git", "add", "a.md"], cwd=other, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "a"], cwd=other, check=True)
    device.pin(other)
    with pytest.raises(RemoteProtocolError, match="sha256"):
        device.pull()


def test_forged_objects_are_refused(device: Device, tmp_path: Path) -> None:
    """A tree with a `.git` folder inside: git's own check stops it in the transfer."""
    bare = tmp_path / "hub.git"

    def git(*words: str, data: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *words], cwd=bare, input=data, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    blob = git("hash-object", "-w", "--stdin", data=b"[core]\n\tfsmonitor = true\n")
    inner = git("mktree", data=f"100644 blob {blob}\tconfig\n".encode())
    tree = git("mktree", data=f"040000 tree {inner}\t.git\n".encode())
    commit = git("commit-tree", "-p", "main", "-m", "x", tree)
    git("update-ref", "refs/heads/main", commit)
    before = device.files()
    with pytest.raises(RemoteProtocolError) as refused:
        device.pull()
    assert refused.value.exit_code == 76
    with pytest.raises(RemoteProtocolError):
        device.pull()
    assert device.files() == before


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% x",
        "-oProxyCommand=x",
        "ssh://-oProxyCommand=x/repo",
        "git@-oProxyCommand=x:repo",
        "host:-repo",
        "http://example.org/notes.git",
        "git://example.org/notes.git",
        "https://ada:secret@example.org/notes.git",
        "https://example.org",
        "notes.git",
        "",
        "fd::17",
    ],
)
def test_other_addresses_are_refused(device: Device, url: str) -> None:
    with pytest.raises(BadInputError) as refused:
        device.pin(url)
    assert "secret" not in refused.value.message


def test_a_person_who_stays_local_receives_nothing_from_another_host(tmp_path: Path) -> None:
    other = Device(tmp_path, "phone")
    config = other.home / "config" / "vaultmem" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[privacy]\nlocal_only = true\n")
    with pytest.raises(LocalOnlyError):
        other.receive("https://example.invalid/notes.git")
    assert not other.root.exists()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://ada:pw@example.org/x.git", "https://example.org/x.git"),
        ("https://ada@example.org/x.git", "https://example.org/x.git"),
        ("ssh://git@example.org:2222/x.git", "ssh://git@example.org:2222/x.git"),
        ("SSH://git:pw@example.org/x.git", "SSH://git@example.org/x.git"),
        ("fatal: https://a:b@h/x and ssh://c@h/y", "fatal: https://h/x and ssh://c@h/y"),
        ("git@example.org:x.git", "git@example.org:x.git"),
    ],
)
def test_what_is_shown_of_an_address(text: str, shown: str) -> None:
    assert shown_url(text) == shown


def test_an_ssh_address_is_printed_so_that_it_can_be_copied(device: Device) -> None:
    url = "ssh://git@example.org:2222/ada/notes.git"
    for words in (["remote", "set", url], ["remote", "show"]):
        done = subprocess.run(
            [sys.executable, "-m", "vaultmem", *words],
            cwd=device.root,
            env=device.environment(),
            capture_output=True,
            check=True,
            text=True,
        )
        assert url in done.stdout


def test_a_token_in_place_of_a_user_is_refused_and_not_printed(device: Device) -> None:
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zC5fL2"
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "-v", "remote", "set", f"https://{token}@example.org/x"],
        cwd=device.root,
        env=device.environment(),
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 65
    assert token not in done.stdout + done.stderr
    assert all(token not in file.read_text() for file in device.home.rglob("config.toml"))
