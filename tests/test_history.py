"""What a history keeps of sampled fights, whenever it is counted."""

import numpy as np

from navkit import Sampled, history
from navkit.rulebooks import gurps


def test_tracks_laid_by_are_counted_as_tracks_counted_at_once(monkeypatch):
    fight = gurps.ship("Sloop"), gurps.ship("Brig")
    later = gurps.duel(*fight, turns=3, chance=Sampled(3000))
    monkeypatch.setattr(history, "MOST_LAID_BY", 0)
    at_once = gurps.duel(*fight, turns=3, chance=Sampled(3000))
    values = at_once.tally.values
    assert values.keys() == later.tally.values.keys()
    for key, counts in values.items():
        np.testing.assert_array_equal(later.tally.values[key], counts)
    # each fight once a track: the undecided at the end, and those that ended
    ended = [c for (name, turn, status), c in values.items() if name == "a.hull" and status]
    still_on = values["a.hull", 3, history.UNDECIDED]
    assert sum(int(counts.sum()) for counts in ended) + still_on.sum() == 3000
