"""The ways in which the `.git` of a vault can name a program, each planted for real.

Numbers are those of the bad-input corpus (118-148). `EVIL` stands for a program that leaves a
mark, `TRAP` for the address of a server on loopback that counts who calls.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

HOOKS = (
    *("pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "pre-auto-gc"),
    *("post-index-change", "reference-transaction", "post-rewrite", "pre-push", "post-checkout"),
    *("update", "post-update", "pre-receive", "fsmonitor-watchman", "post-merge", "sendemail"),
    *("applypatch-msg", "pre-applypatch", "pre-rebase", "post-receive", "push-to-checkout"),
    *("proc-receive", "pre-merge-commit", "post-applypatch"),
)
DRIVERS = """\
[filter "c"]
clean = EVIL
[filter "s"]
smudge = EVIL
required = true
[filter "p"]
process = EVIL
[diff "t"]
textconv = EVIL
[diff "c"]
command = EVIL
[merge "x"]
driver = EVIL
"""


class Place:
    """A vault to plant in, the program to plant, and the address to name."""

    def __init__(self, root: Path, program: Path, address: str) -> None:
        self.root = root
        self.program = program
        self.address = address

    def filled(self, text: str) -> str:
        return text.replace("EVIL", str(self.program)).replace("TRAP", self.address)

    def append(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a", encoding="utf-8") as opened:
            opened.write(self.filled(text))

    def hooks(self, folder: str) -> None:
        target = self.root / folder
        target.mkdir(parents=True, exist_ok=True)
        for name in HOOKS:
            (target / name).unlink(missing_ok=True)
            (target / name).symlink_to(self.program)


Plant = Callable[[Place], None]


def _setting(text: str) -> Plant:
    return lambda place: place.append(".git/config", text)


def _attributes(rule: str, *, where: str = "tree") -> Plant:
    def plant(place: Place) -> None:
        if where == "tree":
            place.append(".gitattributes", rule)
            place.append("items/.gitattributes", rule)
        else:
            place.append(".git/info/attributes", rule)
        place.append(".git/config", DRIVERS)

    return plant


def _hooks_path(place: Place) -> None:
    place.hooks("items/hooks")
    place.append(".git/config", f"[core]\nhooksPath = {place.root}/items/hooks\n")


def _include(place: Place) -> None:
    place.append("items/extra", "[core]\nfsmonitor = EVIL\n")
    place.append(".git/config", f"[include]\npath = {place.root}/items/extra\n")


def _config_worktree(place: Place) -> None:
    place.append(".git/config", "[extensions]\nworktreeConfig = true\n")
    place.append(".git/config.worktree", "[core]\nfsmonitor = EVIL\n")


def _submodule(place: Place) -> None:
    place.append(
        ".gitmodules", '[submodule "x"]\npath = items/x\nurl = ext::EVIL\nupdate = !EVIL\n'
    )
    place.append(".git/config", '[submodule "x"]\nactive = true\nurl = ext::EVIL\nupdate = !EVIL\n')


def _signed_commit(place: Place) -> None:
    """A commit that carries a signature, which `log.showSignature` would have checked."""
    head = _git(place.root, "rev-parse", "HEAD").strip()
    text = _git(place.root, "cat-file", "commit", head)
    top, _, message = text.partition("\n\n")
    top = top.replace(f"tree {_field(top, 'tree')}", f"tree {_field(top, 'tree')}\nparent {head}")
    lines = [line for line in top.splitlines() if line.count("parent ") == 0 or head in line]
    armour = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iHUEABYKAB0=\n -----END PGP SIGNATURE-----"
    body = "\n".join([*lines, armour]) + "\n\n" + message
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=place.root,
        input=body.encode(),
        capture_output=True,
        check=True,
    )
    _git(place.root, "update-ref", "HEAD", made.stdout.decode().strip())
    place.append(".git/config", "[log]\nshowSignature = true\n[gpg]\nprogram = EVIL\n")


def _field(text: str, name: str) -> str:
    return next(line.split(" ", 1)[1] for line in text.splitlines() if line.startswith(name))


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def _nested_bare(place: Place) -> None:
    nested = place.root / "items/sub"
    subprocess.run(
        ["git", "init", "-q", "--bare", "--template=", str(nested)], check=True, timeout=60
    )
    place.append("items/sub/config", "[core]\nfsmonitor = EVIL\nbare = false\nworktree = .\n")
    place.hooks("items/sub/hooks")


def _nested_repository(place: Place) -> None:
    nested = place.root / "resources/inner"
    subprocess.run(["git", "init", "-q", "--template=", str(nested)], check=True, timeout=60)
    place.append("resources/inner/.git/config", "[core]\nfsmonitor = EVIL\n")
    place.hooks("resources/inner/.git/hooks")
    place.append("resources/inner/a.md", "Inner text about hedgehogs.\n")


VECTORS: Mapping[str, Plant] = {
    "118-hooks": lambda place: place.hooks(".git/hooks"),
    "119-hooks-path": _hooks_path,
    "120-fsmonitor": _setting("[core]\nfsmonitor = EVIL\nfsmonitorHookVersion = 2\n"),
    "121-include": _include,
    "122-config-worktree": _config_worktree,
    "123-gpg": _setting("[commit]\ngpgSign = true\n[gpg]\nprogram = EVIL\n"),
    "124-ssh-key-command": _setting(
        '[commit]\ngpgSign = true\n[gpg]\nformat = ssh\n[gpg "ssh"]\ndefaultKeyCommand = EVIL\n'
    ),
    "125-show-signature": _signed_commit,
    "126-filter-clean": _attributes("* filter=c\n"),
    "127-filter-process": _attributes("* filter=p\n"),
    "128-textconv": _attributes("* diff=t\n"),
    "129-diff-command": _attributes("* diff=c\n"),
    "130-diff-external": _setting("[diff]\nexternal = EVIL\n"),
    "131-merge-driver": _attributes("* merge=x\n"),
    "132-ssh-command": _setting(
        '[core]\nsshCommand = EVIL\n[remote "origin"]\nurl = git@127.0.0.1:x.git\n'
    ),
    "133-upload-pack": _setting('[remote "origin"]\nurl = .\nuploadpack = EVIL\n'),
    "134-credential-helper": _setting("[credential]\nhelper = EVIL\nuseHttpPath = true\n"),
    "135-alternate-refs": _setting("[core]\nalternateRefsCommand = EVIL\n"),
    "136-aliases": _setting("[alias]\ncat-file = !EVIL\nlog = !EVIL\nfast-import = !EVIL\n"),
    "137-editor-and-pager": _setting(
        "[core]\neditor = EVIL\npager = EVIL\n[pager]\nlog = EVIL\n[sequence]\neditor = EVIL\n"
    ),
    "138-trailer": _setting('[trailer "Vaultmem-Op"]\ncommand = EVIL\ncmd = EVIL\n'),
    "139-submodule": _submodule,
    "140-fetch-by-ext": _setting(
        '[protocol "ext"]\nallow = always\n[remote "origin"]\nurl = ext::EVIL\n'
    ),
    "141-gc-hook": _setting("[gc]\nrecentObjectsHook = EVIL\nauto = 1\n"),
    "142-nested-bare": _nested_bare,
    "143-filter-smudge": _attributes("* filter=s\n"),
    "144-info-attributes": _attributes("* filter=c diff=t merge=x\n", where="info"),
    "145-git-proxy": _setting(
        '[core]\ngitProxy = EVIL\n[remote "origin"]\nurl = git://127.0.0.1:9/x.git\n'
    ),
    "146-instead-of": _setting(
        '[url "http://TRAP/"]\ninsteadOf = file://\ninsteadOf = /\n'
        '[url "ext::EVIL "]\npushInsteadOf = /\n[protocol "ext"]\nallow = always\n'
    ),
    "147-remote-helper": _setting(
        '[remote "origin"]\nvcs = evil\nurl = http://TRAP/x.git\nreceivepack = EVIL\n'
        "[http]\nproxy = http://TRAP\n"
    ),
    "148-ask-pass": _setting(
        '[core]\naskPass = EVIL\n[remote "origin"]\nurl = http://TRAP/x.git\n'
    ),
    "148b-nested-repository": _nested_repository,
}

TOGETHER = (
    ("118-hooks", "120-fsmonitor", "126-filter-clean", "133-upload-pack"),
    ("119-hooks-path", "123-gpg", "127-filter-process", "132-ssh-command"),
    ("121-include", "124-ssh-key-command", "128-textconv", "140-fetch-by-ext"),
    ("122-config-worktree", "125-show-signature", "129-diff-command"),
    ("131-merge-driver", "134-credential-helper", "137-editor-and-pager", "145-git-proxy"),
    ("135-alternate-refs", "136-aliases", "138-trailer", "143-filter-smudge", "146-instead-of"),
    ("139-submodule", "141-gc-hook", "142-nested-bare", "144-info-attributes", "147-remote-helper"),
    ("130-diff-external", "148-ask-pass", "148b-nested-repository"),
)
"""Those that can be planted in one vault: none sets what another one sets, so each stays as live as
it is alone (`test_the_traps_are_live`)."""
