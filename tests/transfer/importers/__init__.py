"""Exports of other programs: each shape read, kept, and told again without a change."""
