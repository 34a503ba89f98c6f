"""links, feedback."""

from __future__ import annotations

import click

from vaultmem.cli.options import Shared, shared_options


@click.command("links")
@click.argument("note", metavar="ID|PATH")
@shared_options
@click.pass_obj
def links_command(shared: Shared, note: str) -> int:
    """Show what a note is linked with, and what could be added.

    Both ways, among the notes that hold now. What could be added is worked out and written
    nowhere; to keep it write `causes: "[[i-...]]"` (or another type) into the front matter,
    or a [[wikilink]].

    \b
    vaultmem links i-7f3a2kq9xw
    vaultmem links projects/garden.md
    """
    from vaultmem.cli.answers_ranking import links_lines  # saves 5 modules
    from vaultmem.cli.open_vault import open_memory  # saves 34 modules
    from vaultmem.cli.output import say, say_json  # saves 6 modules

    with open_memory(shared.vault) as memory:
        found = memory.ranking.links(note)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(found, zone)
    else:
        say(links_lines(found, zone))
    return 0


@click.command("feedback")
@click.argument("hit", metavar="HIT")
@click.option("--accept", is_flag=True, help="It answered.")
@click.option("--reject", is_flag=True, help="It did not.")
@shared_options
@click.pass_obj
def feedback_command(shared: Shared, hit: str, accept: bool, reject: bool) -> int:
    """Say of a hit that it answered, or did not.

    The preset that ranked it learns from that, on all devices that share the vault.
    HIT is the number of a hit of the last answer on this device, or the id of a note in a recent
    one. The answer has to be of a preset with weights (`vaultmem help ranking`).

    \b
    vaultmem recall --preset balanced "what about the garden"
    vaultmem feedback 2 --accept
    """
    from vaultmem.cli.answers_ranking import judged_lines  # saves 5 modules
    from vaultmem.cli.open_vault import open_memory  # saves 34 modules
    from vaultmem.cli.output import say, say_json  # saves 6 modules

    if accept == reject:
        raise click.UsageError("say --accept or --reject")
    with open_memory(shared.vault) as memory:
        judged = memory.ranking.feedback(hit, accepted=accept)
        zone = memory.settings.timezone
    if shared.as_json:
        say_json(judged, zone)
    else:
        say(judged_lines(judged))
    return 0
