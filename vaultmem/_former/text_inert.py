"""The former name of a module; it can be imported by it for one version more."""

import sys
import warnings

from vaultmem.safety import inert

warnings.warn(f"'{__name__}' is '{inert.__name__}' now", DeprecationWarning, stacklevel=2)
sys.modules[__name__] = inert
