"""A vault as one file: written, read, judged, taken in."""
