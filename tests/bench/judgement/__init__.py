"""Labelled sentences and pairs, and what trains and measures the models of judgement."""
