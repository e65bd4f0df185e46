"""Prep sheets as pages: one HTML file that needs no network, and parts of it for notebooks."""

from navkit.pages.curves import figures
from navkit.pages.document import summary, to_html

__all__ = ["figures", "summary", "to_html"]
