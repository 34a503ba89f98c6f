"""Language models and embedders: spoken with, recorded, checked."""
