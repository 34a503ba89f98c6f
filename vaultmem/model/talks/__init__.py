"""The words of conversations: turns, messages, summaries."""
