"""The former name of a module; it can be imported by it for one version more."""

import sys
import warnings

from vaultmem.model import answers

warnings.warn(f"'{__name__}' is '{answers.__name__}' now", DeprecationWarning, stacklevel=2)
sys.modules[__name__] = answers
