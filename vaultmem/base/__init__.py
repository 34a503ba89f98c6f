"""What every room stands on: errors with exit codes, cheap records, packaged files. Pure."""
