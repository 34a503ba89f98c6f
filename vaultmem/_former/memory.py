"""The former name of a module; it can be imported by it for one version more."""

import sys
import warnings

from vaultmem.api import memory

warnings.warn(f"'{__name__}' is '{memory.__name__}' now", DeprecationWarning, stacklevel=2)
sys.modules[__name__] = memory
