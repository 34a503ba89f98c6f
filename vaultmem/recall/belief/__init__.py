"""How far an answer is believed: confidence, contradictions, corrections."""
