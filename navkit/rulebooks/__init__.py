"""The rulebooks, one package each with the same rooms and names."""
