"""A box of widgets that a page has as they are now, however long it took to load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets


class LivePanel(widgets.VBox):
    """Widgets one below the other, which are told anew to each page that has just loaded them.

    A page of Voilà, or one that JupyterLab opens beside a running kernel, asks for the state of
    all widgets and only then makes them: what changes in between never reaches it. So the page
    says when it is done, and all that is in the panel is told once more.

    Whoever closes the panel closes its parts.

    >>> panel = LivePanel((widgets.HTML("two ships"),))
    >>> panel.close()
    """

    def __init__(self, parts: Sequence[Any], **traits: Any) -> None:
        loaded = _Loaded(layout={"display": "none"})
        loaded.on_msg(lambda *message: _tell(self))
        super().__init__((*parts, loaded), **traits)

    def close(self) -> None:
        """Take the panel off every page, with all that is in it."""
        close_parts(self)
        super().close()


class _Loaded(anywidget.AnyWidget):
    """Says, from each page that shows it, that the page has made its widgets."""

    _css = traitlets.Unicode(Path(__file__).with_suffix(".css").read_text("utf-8")).tag(sync=True)
    # Once a page: a view that is drawn anew, as on scrolling, has missed nothing.
    _esm = """export default () => {
        let told = false;
        return { render({ model }) { if (!told) model.send("loaded"); told = true; } };
    }"""


def close_parts(box: Any) -> None:
    """Close all that is in `box`, with the layouts and styles that ipywidgets leaves open."""
    for part in getattr(box, "children", ()):
        close_parts(part)
        part.close()
    for each in _looks(box):
        each.close()


def _tell(box: Any) -> None:
    for each in (*_looks(box), box):
        if not isinstance(each, widgets.Play):  # it runs in the page, which is ahead of us
            each.send_state()
    for part in getattr(box, "children", ()):
        if not isinstance(part, LivePanel):  # which the page has told it for itself
            _tell(part)


def _looks(box: Any) -> Iterator[Any]:
    return (getattr(box, trait) for trait in ("layout", "style") if box.has_trait(trait))
