"""A language model reads a text; its reply is not trusted."""
