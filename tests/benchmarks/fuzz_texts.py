"""Opens texts that nobody should have written, and tells how many opened and which took longest.

    python tests/benchmarks/fuzz_texts.py [--texts 100000] [--kind 'scenario JSON']

Every text must give a result or an InputError, and in less than 0.1 s of the processor. Anything
else is told with the text, and the command fails. Opening is measured, not playing.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, settings

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import fuzzed_texts  # noqa: E402

import navkit as nk  # noqa: E402

LONGEST = 0.1
"""Seconds of the processor that opening a text may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=fuzzed_texts.KINDS, action="append", help="only these")
    parser.add_argument("--texts", type=int, default=100_000, help="how many, of all kinds")
    arguments = parser.parse_args()
    kinds = arguments.kind or list(fuzzed_texts.KINDS)
    faults = sum(fuzzed(kind, arguments.texts // len(kinds)) for kind in kinds)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"most memory held: {grown} MB; faults: {faults}")
    return 1 if faults else 0


def fuzzed(kind: str, texts: int) -> int:
    """Reads so many texts of a kind, tells what came of them, and counts the faults."""
    strategy, read = fuzzed_texts.KINDS[kind]
    counted: Counter[str] = Counter()
    slowest, seconds = "", 0.0
    read_once(read, "")

    @given(strategy)
    @settings(
        max_examples=texts,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    def attempt(text: str) -> None:
        nonlocal slowest, seconds
        came, took = read_once(read, text)
        if took > LONGEST:  # the machine was elsewhere, or is it the text?
            took = min(took, *(read_once(read, text)[1] for _ in range(3)))
        counted[came] += 1
        if took > seconds:
            slowest, seconds = text, took
        if came not in ("opened", "refused") or took > LONGEST:
            counted["faults"] += 1
            print(f"  FAULT {came}, {took:.3f} s: {shown(text)}")

    attempt()
    print(
        f"{kind}: {counted['opened'] + counted['refused']:,} texts, {counted['opened']:,} opened, "
        f"{counted['refused']:,} refused; slowest {1000 * seconds:.1f} ms: {shown(slowest)}",
        flush=True,
    )
    return counted["faults"]


def read_once(read: object, text: str) -> tuple[str, float]:
    """What came of a text (opened, refused, or the name of a fault), and the seconds it took."""
    begun = time.process_time()
    try:
        read(text)
        came = "opened"
    except nk.InputError:
        came = "refused"
    except Exception as error:
        came = repr(error)[:200]
    return came, time.process_time() - begun


def shown(text: str) -> str:
    """A text in one short line."""
    told = repr(text)
    return told if len(told) <= 100 else f"{told[:60]} ... {told[-20:]} ({len(text):,} letters)"


if __name__ == "__main__":
    sys.exit(main())
