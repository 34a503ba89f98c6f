"""The real coding assistants, in homes of their own, against a model that says what we wrote."""
