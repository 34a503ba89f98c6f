"""In which project something is told: the identity of the repository around a folder.

Words that end here: `--project`, and the folder in which a command, a hook or a tool is called.

Promises
* One repository is one project on every device: by its remote, else by its root commit.
* Looking starts no process. git is asked once, for a repository without a remote.

Never: follows, runs or believes anything in a repository beyond its name; a limit holds for each
file that is read.

Where is the rule for ...
    which repository a folder is of             of_folder.py
    one spelling of the addresses of a remote   of_folder.py
    how a note names a project; when two are one  model/projects.py
    what another project is worth in an answer  recall/of_project.py
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
