"""What the tests of Sea Battles share."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

D6 = range(1, 7)


@pytest.fixture(scope="session")
def brute():
    """The exact distribution of what a plain function makes of so many D6, all faces listed."""

    def brute(dice, made):
        found = Counter(made(*faces) for faces in product(D6, repeat=dice))
        return {value: Fraction(ways, 6**dice) for value, ways in sorted(found.items())}

    return brute
