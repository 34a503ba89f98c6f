"""What has no word of a user's: files, notes, Git, merging, the index."""

from vaultmem.base import shelf

shelf(__name__)
