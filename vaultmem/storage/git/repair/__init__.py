"""A damaged repository: what is damaged, and how it is mended."""
