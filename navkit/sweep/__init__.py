"""Many fights at once: one question in every cell of a grid, to a tidy table."""

from navkit.sweep.running import (
    Sweep,
    SweepCancelled,
    SweepFailed,
    SweepInterrupted,
    start_sweep,
    sweep,
)

__all__ = ["Sweep", "SweepCancelled", "SweepFailed", "SweepInterrupted", "start_sweep", "sweep"]
