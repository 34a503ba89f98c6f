"""What only a person can decide about a bullet and its item, as problems with what to do."""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem.model.notes import Bullet, Problem


def unknown_id(path: PurePosixPath, bullet: Bullet) -> Problem:
    """A block id that no item has, and none had when all was settled."""
    return Problem(
        path=path,
        line=bullet.line,
        code="unknown-block-id",
        message=f"no item has the id '{bullet.block_id}' of this bullet",
        hint="delete the block id and the bullet becomes a new item, "
        f"or run `vaultmem restore {bullet.block_id}`",
    )


def emptied(path: PurePosixPath, bullet: Bullet, *, said: str) -> Problem:
    """A bullet that has its id and no words any more; `said`: by its item."""
    return Problem(
        path=path,
        line=bullet.line,
        code="empty-bullet",
        message=f"this bullet lost its words; its item says '{said}'",
        hint="delete the whole line to retract the item, or write what it should say",
    )


def both_edited(path: PurePosixPath, bullet: Bullet, *, note: PurePosixPath, said: str) -> Problem:
    """A bullet and its note with different words, of which neither are the settled ones."""
    return Problem(
        path=path,
        line=bullet.line,
        code="edited-twice",
        message=f"bullet and item differ: here '{bullet.text}', in '{note}' '{said}'",
        hint="make both say the same; nothing was changed",
    )
