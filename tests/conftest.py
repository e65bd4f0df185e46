"""What tests measure, by `record_property(name, value)`, is told at the end of a run."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    measured = [
        f"{report.nodeid}: {name} {value}"
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
    ]
    if measured:
        terminalreporter.section("measured")
        for line in measured:
            terminalreporter.write_line(line)
