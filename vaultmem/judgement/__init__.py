"""What a sentence is, by learned models and sure rules: worth, change, whose words."""
