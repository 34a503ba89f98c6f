"""Whose words they are: the speaker's, somebody else's, or a pasted text's."""
