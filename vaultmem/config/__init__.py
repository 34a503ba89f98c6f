"""Every setting: its table, where its value comes from, and the state of the device.

Words that end here: `config`, `vaults`, `remote`, `--vault`, and both settings files.

Promises
* A setting stands once, in the table: key, default, unit, range, place, reason.
* A settings file that cannot be used is an error with file, line and key.
* A vault cannot name a program to run, a server to ask or a key: those are the person's settings.
* Settings files are changed by line; every other byte stays.

Never: opens a vault, and writes nothing into one.

Where is the rule for ...
    a setting: default, unit, range, reason     settings_table.py, setting.py
    which vault is meant                        settings.py
    how a value is checked, with its line       values.py
    which file is the daily note of a day       values.py
    names of vaults                             vaults.py
    where the vault is sent                     remotes.py
    whether a network may be used               network.py
    where device state lies                     state.py, places.py
"""

from vaultmem.base import attach

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.config.llm import (
        CHAT,
        OFF,
        SUMMARISER,
        LearningSettings,
        ModelSettings,
        ReflectionSettings,
        learning_settings,
        model_settings,
        reflection_settings,
        session_settings,
        upstream_settings,
    )
    from vaultmem.config.network import LOCAL_ONLY, is_on_this_device, open_limits, require_network
    from vaultmem.config.places import file_system, is_doubtful, is_network, require_text
    from vaultmem.config.remotes import (
        DEFAULT_BRANCH,
        NoRemoteError,
        PinnedRemote,
        check_branch,
        find_remote,
        forget_remote,
        login_of,
        set_remote,
        shown_url,
        transport_of,
    )
    from vaultmem.config.setting import PERSON_SECTIONS, VAULT, Value
    from vaultmem.config.settings import (
        FILE_NAME,
        Settings,
        erase_state,
        find_own_vault,
        find_vault,
        load_settings,
        named_vaults,
        open_settings,
    )
    from vaultmem.config.settings_table import MULTIPLE, knobs
    from vaultmem.config.state import effective_settings, make_state_folder, person_file, state_home
    from vaultmem.config.values import SettingsWarning, daily_note_path, parse_settings
    from vaultmem.config.vaults import add_vault, remove_vault, set_default_vault

attach(
    __name__,
    {
        "llm": (
            "CHAT LearningSettings ModelSettings OFF ReflectionSettings SUMMARISER "
            "learning_settings model_settings reflection_settings session_settings "
            "upstream_settings"
        ),
        "network": "LOCAL_ONLY is_on_this_device open_limits require_network",
        "places": "file_system is_doubtful is_network require_text",
        "remotes": (
            "DEFAULT_BRANCH NoRemoteError PinnedRemote check_branch find_remote forget_remote "
            "login_of set_remote shown_url transport_of"
        ),
        "setting": "PERSON_SECTIONS VAULT Value",
        "settings": (
            "FILE_NAME Settings erase_state find_own_vault find_vault load_settings "
            "named_vaults open_settings"
        ),
        "settings_table": "MULTIPLE knobs",
        "state": "effective_settings make_state_folder person_file state_home",
        "values": "SettingsWarning daily_note_path parse_settings",
        "vaults": "add_vault remove_vault set_default_vault",
    },
)
