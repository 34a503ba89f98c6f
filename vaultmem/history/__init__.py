"""What was known when: versions, moments, differences."""
