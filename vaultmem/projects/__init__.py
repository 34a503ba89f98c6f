"""In which project something is told: the identity of the repository around a folder.

`remote_address` makes one spelling of all addresses of a remote (pure), `of_folder` reads `.git` as
far as that takes, without a process, and `root_commit` asks git for what has no remote, once. How a
note names a project, and when two are one, is in `model/projects.py`. A repository comes from
anybody: nothing in it is followed, run or believed beyond its name, and files are read to a limit.
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.projects.of_folder import (
        AUTO,
        Repository,
        address_of,
        chosen_project,
        plain_name,
        project_to_ask,
        project_to_keep,
        repository_around,
        told_project,
    )

attach(
    __name__,
    {
        "of_folder": (
            "AUTO Repository address_of chosen_project plain_name project_to_ask "
            "project_to_keep repository_around told_project"
        ),
    },
)
