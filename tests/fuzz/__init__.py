"""Random inputs against the parts that read what strangers write; what broke once is kept."""
