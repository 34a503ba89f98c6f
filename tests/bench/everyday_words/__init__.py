"""Words of everyday things and doings that are asked about in other words, written by hand."""
