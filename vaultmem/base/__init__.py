"""What every room stands on: errors with exit codes, cheap records, packaged files. Pure."""

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
    from vaultmem.base.records import NamedTuple, dataclass, field, replace
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
        "records": "NamedTuple dataclass field replace",
        "typed": (
            "Any Concatenate Generic IO Literal NewType ParamSpec Protocol Self "
            "TYPE_CHECKING TypeGuard TypeVar overload"
        ),
        "whole_files": "replace_file",
    },
)
