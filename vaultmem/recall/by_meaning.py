"""Vectors of what the vault says, where there is a model of them (docs/embeddings.md).

Made by `sync` for what changed and by `reindex --embeddings` for all. A question asks a server for
the vector of its own words alone; a model in this process makes those of a few new texts with it,
so that what was remembered a moment ago is found. Where that fails, words answer. No lock is held
while a model works: vectors are kept by what the text says, so that nothing can go stale.
"""

from __future__ import annotations

from contextlib import suppress

from vaultmem import models
from vaultmem.base import TYPE_CHECKING, BadInputError, VaultmemError, replace
from vaultmem.config import require_network
from vaultmem.model import Embedded
from vaultmem.models import AUTO, MINILM, MULTILINGUAL, is_on, provider_of
from vaultmem.storage import index
from vaultmem.vault import level

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.model import Embedder, Progress, SyncReport
    from vaultmem.storage.index import Likeness
    from vaultmem.vault import Vault

# Unpacking 65 MB of weights took 1.2 of the 1.4 s of CPU of each `recall` on the command line.
KEPT_MODELS = "models"  # beside the states of the vaults: one loaded model serves all of them
KEPT_EVERY = 16  # batches: what a long run has made so far survives its end
MOST_BY_A_QUESTION = 64  # texts without a vector: 0.1 s with the packaged model
_MOST_CHARACTERS = 2_000  # of a question: models read a few hundred words
MAKE = "run `vaultmem reindex --embeddings`"


def embedder(vault: Vault) -> Embedder:
    """The model that the person's settings name; raises SettingsError, LocalOnlyError."""
    if vault.embedder is None:
        settings = vault.settings
        chosen = provider_of(settings)
        if chosen == MULTILINGUAL:
            vault.embedder = models.Multilingual(kept=vault.state.parent / KEPT_MODELS)
            return vault.embedder
        if chosen == MINILM:
            vault.embedder = models.Packaged()
            return vault.embedder

        url = settings.embeddings_base_url
        require_network(settings, "making vectors of texts", target=url)
        vault.embedder = models.Endpoint(
            url,
            model=settings.embeddings_model,
            key=settings.embeddings_api_key,
            timeout_seconds=settings.embeddings_timeout_seconds,
        )
    return vault.embedder


def require_on(vault: Vault) -> None:
    if is_on(vault.settings):
        return
    if vault.settings.embeddings_provider == AUTO:
        raise BadInputError(
            "there is no model of sentence vectors here",
            hint="install the extra 'embeddings'; see `vaultmem help embeddings`",
        )
    raise BadInputError(
        "embeddings are off",
        hint="choose 'embeddings.provider' in your settings; see `vaultmem help embeddings`",
    )


def make(vault: Vault, *, progress: Progress | None = None) -> Embedded:
    """Vectors of all passages that have none; those of texts that are gone are dropped.

    raises BadInputError where they are switched off, and what an `Embedder` raises; what was
    made until then is kept
    """
    require_on(vault)

    model = embedder(vault)
    file = index.file_of(vault.state, model.name)
    texts = {index.key_of(text): text for _, _, text in level.reading(vault, vault.index.texts)}
    vectors = index.Vectors.read(file)
    missing = [key for key in texts if key not in vectors.by_key]
    size = model.batch * KEPT_EVERY
    for start in range(0, len(missing), size):
        made: dict[bytes, list[float]] = {}
        try:
            for first in range(start, min(start + size, len(missing)), model.batch):
                if progress is not None:
                    progress("making vectors", first, len(missing))
                keys = missing[first : min(first + model.batch, start + size)]
                rows = model.embed([texts[key] for key in keys])
                made.update(zip(keys, rows, strict=True))
        finally:
            if made:
                vectors = vectors.with_only(texts.keys(), made)
                vectors.write(file)
    if len(vectors.by_key) != len(texts):  # nothing was missing, and something is gone
        vectors = vectors.with_only(texts.keys(), {})
        vectors.write(file)
    return Embedded(model=model.name, made=len(missing), vectors=len(texts))


def beside(vault: Vault, report: SyncReport, *, progress: Progress | None = None) -> SyncReport:
    """The report of a sync, with the vectors of what changed; a failure is told, not raised."""
    if not is_on(vault.settings):
        return report
    try:
        return replace(report, embedded=make(vault, progress=progress))
    except VaultmemError as error:
        return replace(report, embedded=Embedded(model="", failure=error.message))


def after_many(vault: Vault, *, progress: Progress | None = None) -> None:
    """Vectors after many texts were remembered at once: more than a question makes.

    A failure is told by the next sync, not by them, which are kept.
    """
    with suppress(VaultmemError):
        make(vault, progress=progress)


def _make_few(vault: Vault, model: Embedder, file: Path) -> None:
    """Vectors of the newest texts that have none, so that what was just remembered is found.

    Whoever remembers waits for no model. A failure to keep them is told by the next sync.
    """
    # So `remember` and the next `recall` work at once: until the next sync, words alone found what
    # had just been kept.
    lacking = vault.index.lacking(file)[-MOST_BY_A_QUESTION:]
    if not lacking:
        return

    made = dict(zip(map(index.key_of, lacking), model.embed(lacking), strict=True))
    keys = {index.key_of(text) for _, _, text in vault.index.texts()}
    vectors = index.Vectors.read(file).with_only(keys, made)
    with suppress(OSError):  # a full disk: the others are enough to answer
        vectors.write(file)


def likeness(vault: Vault, query: str) -> tuple[Likeness | None, str]:
    """How like a question passages are, with the model; or None with why that is not known."""
    try:
        model = embedder(vault)
        from vaultmem.storage.index import file_of  # saves 119 modules

        file = file_of(vault.state, model.name)
        if model.is_here:
            _make_few(vault, model, file)
        if not file.exists():
            return None, f"no vectors of '{model.name}' yet: {MAKE}"
        question = query[:_MOST_CHARACTERS]
        forms = vault.index.forms(file, question)
        asked = [question] if forms is None else [question, forms.own, forms.other]
        vectors = model.embed_questions(asked)
    except VaultmemError as error:
        return None, error.message
    answers_from = vault.settings.embeddings_answers_from or model.answers_from
    found = vault.index.likeness(
        file,
        vectors,
        named=() if forms is None else forms.named,
        answers_from=answers_from,
        gain=model.gain,
    )
    if found is None:
        return None, f"the vectors of '{model.name}' have another length now: {MAKE}"
    return found, model.name


def standing(vault: Vault) -> str:
    """One line about it, without asking the model."""
    if not is_on(vault.settings):
        return "off"
    try:
        model = embedder(vault)
    except VaultmemError as error:
        return f"not usable: {error.message}"

    vectors = index.Vectors.read(index.file_of(vault.state, model.name))
    keys = {index.key_of(text) for _, _, text in vault.index.texts()}
    has = len(keys & vectors.by_key.keys())
    wants = f"; {MAKE}" if not has and not model.is_here else "; `vaultmem sync` makes more"
    wants = "" if has == len(keys) else wants
    length = f" of {vectors.dimension} numbers" if has else ""
    return f"'{model.name}', {has} of {len(keys)} texts have a vector{length}{wants}"
