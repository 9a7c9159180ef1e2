"""Progress on standard error: one line that changes on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
import time

from ._book import LearnReport
from ._job import Report


class _Line:
    """Line that shows progress."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.shown = time.monotonic() if not self.is_terminal else 0.0

    def is_due(self) -> bool:
        """Returns ``True`` if the last text was shown long enough, and restarts the interval."""
        now = time.monotonic()
        if now - self.shown < (0.5 if self.is_terminal else 10.0):
            return False
        self.shown = now
        return True

    def write(self, text: str, is_last: bool) -> None:
        """Replaces the text."""
        if self.is_terminal:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.write("\n" if is_last else "")
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()


class Meter(_Line):
    """Progress of ``solve`` and ``label``."""

    def __call__(self, report: Report, positions: int, share: float) -> None:
        if share < 1.0 and not self.is_due():
            return
        text = (
            f"{report.positions}/{positions} positions, {share:.0%} of the work, "
            f"{report.positions / max(report.seconds, 1e-9):.1f}/s, {report.seconds_left:.0f} s left"
        )
        self.write(text, share >= 1.0)


class BookMeter(_Line):
    """Progress of ``learn``."""

    def __call__(self, report: LearnReport, is_last: bool) -> None:
        if is_last or self.is_due():
            text = f"{report.positions} positions, {report.added} added, {report.seconds:.0f} s"
            self.write(text, is_last)
