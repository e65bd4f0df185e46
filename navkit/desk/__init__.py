"""What is asked of a scenario: house rules compared, fights replayed, what it would take."""
