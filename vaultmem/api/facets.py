"""What a memory can do beside the verbs of every day: a facet a room, loaded on first use."""

from __future__ import annotations

from vaultmem.api.opened import OwnedVault
from vaultmem.base import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.api.conversation_verbs import Sessions
    from vaultmem.api.room_verbs import (
        Agents,
        Devices,
        Edit,
        Facts,
        Forgetting,
        History,
        Learn,
        Maintain,
        Models,
        Ranking,
        Review,
        Whole,
    )


class Facets(OwnedVault):
    """Each carries the word of its room, or of its page of help where a verb has that word.

    A facet is made anew each time: one that was kept would hold the memory, and a memory that
    nobody has any more is closed at once.
    """

    @property
    def history(self) -> History:
        """What was done, when and by whom; what was known when."""
        from vaultmem.api.room_verbs import History  # saves its module

        return History(self)

    @property
    def sessions(self) -> Sessions:
        """Conversations: begin one, or list them."""
        from vaultmem.api.conversation_verbs import Sessions  # saves its module

        return Sessions(self)

    @property
    def facts(self) -> Facts:
        """What ends a fact."""
        from vaultmem.api.room_verbs import Facts  # saves its module

        return Facts(self)

    @property
    def ranking(self) -> Ranking:
        """Links of a note, and judged answers."""
        from vaultmem.api.room_verbs import Ranking  # saves its module

        return Ranking(self)

    @property
    def learn(self) -> Learn:
        """Rules, the profile, insights."""
        from vaultmem.api.room_verbs import Learn  # saves its module

        return Learn(self)

    @property
    def models(self) -> Models:
        """What a language model writes, and whether it works."""
        from vaultmem.api.room_verbs import Models  # saves its module

        return Models(self)

    @property
    def review(self) -> Review:
        """What waits for the person."""
        from vaultmem.api.room_verbs import Review  # saves its module

        return Review(self)

    @property
    def devices(self) -> Devices:
        """The remote that devices share."""
        from vaultmem.api.room_verbs import Devices  # saves its module

        return Devices(self)

    @property
    def vault(self) -> Whole:
        """How the vault stands, and what others did to it."""
        from vaultmem.api.room_verbs import Whole  # saves its module

        return Whole(self)

    @property
    def maintain(self) -> Maintain:
        """Jobs that keep it in order, and their timer."""
        from vaultmem.api.room_verbs import Maintain  # saves its module

        return Maintain(self)

    @property
    def forgetting(self) -> Forgetting:
        """What erases for good (`Memory.forget` does not)."""
        from vaultmem.api.room_verbs import Forgetting  # saves its module

        return Forgetting(self)

    @property
    def agents(self) -> Agents:
        """What assistants write as files."""
        from vaultmem.api.room_verbs import Agents  # saves its module

        return Agents(self)

    @property
    def edit(self) -> Edit:
        """A note in an editor."""
        from vaultmem.api.room_verbs import Edit  # saves its module

        return Edit(self)
