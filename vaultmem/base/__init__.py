"""What every room stands on: errors with exit codes, cheap records, packaged files. Pure.

No word of a user's ends here, but each error message and each page of `help` comes through.

Promises
* Each error names what happened, an exit code and what to do next.
* A cold command loads only the modules and compiles only the patterns that it uses.
* A packaged file (template, page, prompt) is found wherever the program is installed.

Never: knows a vault, a setting or a note. It imports no other room.

Where is the rule for ...
    an exit code, and its hint                  errors.py, errors_llm.py
    what a room gives to others                 faces.py
    how modules are found quickly               loading.py
    records that are cheap to define            records.py
    patterns that are compiled on first use     regexes.py
    types that cost nothing at run time         typed.py
    templates, pages of help and prompts        assets.py
    replacing a file of the device as a whole   whole_files.py
"""

from vaultmem.base.faces import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.base.assets import page, prompt, sample_vault, templates, topics
    from vaultmem.base.errors import (
        DISK_HINTS,
        EXIT_BUG,
        EXIT_BUSY,
        EXIT_PROBLEMS,
        EXIT_REFUSED,
        EXIT_SUSPICIOUS,
        EXIT_USAGE,
        BadInputError,
        BusyError,
        CannotCreateError,
        ConsentNeededError,
        DiskError,
        HeadMovedError,
        HeldBackError,
        HistoryDamagedError,
        HistoryError,
        HistoryIncompleteError,
        IncomingRefusedError,
        IndexDamagedError,
        LocalOnlyError,
        MemoryDisabledError,
        MissingFileError,
        MisusedError,
        NotAllowedError,
        NoVaultError,
        OtherFormatError,
        PatchRefusedError,
        RemoteDeniedError,
        RemoteMovedError,
        RemoteProtocolError,
        RemoteUnreachableError,
        RepositoryBusyError,
        SecretFoundError,
        SettingsError,
        StaleFileError,
        UnconfirmedError,
        UndoRefusedError,
        UnknownNoteError,
        UnsafePathError,
        VaultmemError,
        WrongThreadError,
        disk_error,
        is_of_some_files,
        is_refusal,
    )
    from vaultmem.base.errors_llm import LASTING, LLMError
    from vaultmem.base.faces import attach, shelf
    from vaultmem.base.records import NamedTuple, WorkedOut, dataclass, field, replace
    from vaultmem.base.regexes import Needing, late
    from vaultmem.base.typed import (
        IO,
        TYPE_CHECKING,
        Any,
        Concatenate,
        Generic,
        Literal,
        NewType,
        ParamSpec,
        Protocol,
        Self,
        TypeGuard,
        TypeVar,
        overload,
    )
    from vaultmem.base.whole_files import replace_file

attach(
    __name__,
    {
        "assets": "page prompt sample_vault templates topics",
        "errors": (
            "BadInputError BusyError CannotCreateError ConsentNeededError DISK_HINTS "
            "DiskError EXIT_BUG EXIT_BUSY EXIT_PROBLEMS EXIT_REFUSED EXIT_SUSPICIOUS "
            "EXIT_USAGE HeadMovedError HeldBackError HistoryDamagedError HistoryError "
            "HistoryIncompleteError IncomingRefusedError IndexDamagedError LocalOnlyError "
            "MemoryDisabledError MissingFileError MisusedError NoVaultError NotAllowedError "
            "OtherFormatError PatchRefusedError RemoteDeniedError RemoteMovedError "
            "RemoteProtocolError RemoteUnreachableError RepositoryBusyError "
            "SecretFoundError SettingsError StaleFileError UnconfirmedError "
            "UndoRefusedError UnknownNoteError UnsafePathError VaultmemError "
            "WrongThreadError disk_error is_of_some_files is_refusal"
        ),
        "errors_llm": "LASTING LLMError",
        "faces": "attach shelf",
        "regexes": "Needing late",
        "records": "NamedTuple WorkedOut dataclass field replace",
        "typed": (
            "Any Concatenate Generic IO Literal NewType ParamSpec Protocol Self "
            "TYPE_CHECKING TypeGuard TypeVar overload"
        ),
        "whole_files": "replace_file",
    },
)
