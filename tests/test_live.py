import gc
import weakref

import bokeh
import numpy as np
import pandas as pd
import pytest

from navkit import charts
from navkit.errors import InputError
from navkit.live import LiveFigure

TABLE = pd.DataFrame({"sunk": [0.0, 0.25, 0.5]})


@pytest.fixture
def live():
    figure = charts.curves(TABLE, title="Who sinks?", x="turn", y="chance", name="sinking")
    return Listening(figure)


class Listening(LiveFigure):
    """Keeps what it would send to the browser."""

    def __init__(self, figure):
        self.sent = []
        super().__init__(figure)

    def send(self, content, buffers=None):
        self.sent.append((content, buffers))

    def hear(self, content):
        self._handle_custom_msg(content, [])
        return self.sent[-1]


def test_an_update_is_one_message_of_binary_numbers_and_texts(live):
    live.sent.clear()
    live.update({"sinking": charts.curve_columns(TABLE / 2)}, title="And now?")
    ((content, buffers),) = live.sent
    assert (content["kind"], content["title"]) == ("update", "And now?")
    told = content["sources"]["sinking"]
    assert told["says sunk"] == ["0 %", "12.5 %", "25.0 %"]
    assert np.frombuffer(buffers[told["y sunk"]], "<f8").tolist() == [0, 0.125, 0.25]
    assert sorted(place for place in told.values() if isinstance(place, int)) == [*range(5)]


def test_whole_numbers_and_truths_are_sent_as_floats(live):
    columns = charts.curve_columns(TABLE) | {"x": [1, 2, 3], "zero": [False] * 3}
    live.update({"sinking": columns})
    content, buffers = live.sent[-1]
    assert np.frombuffer(buffers[content["sources"]["sinking"]["x"]]).tolist() == [1, 2, 3]


def test_a_view_opened_later_shows_the_newest_data(live):
    live.update({"sinking": charts.curve_columns(TABLE.head(2))}, title="Newest")
    content, _ = live.hear({"ask": "figure", "view": "second"})
    assert (content["kind"], content["view"], content["title"]) == ("figure", "second", "Newest")
    assert live.figure.select_one({"name": "sinking"}).data["y sunk"].tolist() == [0, 0.25]
    assert "12.5" not in str(content["item"])
    assert content["item"]["doc"]["version"] == bokeh.__version__


def test_the_script_comes_only_when_asked_for(live):
    content, (script,) = live.hear({"ask": "script"})
    assert content == {"kind": "script"}
    assert b"Bokeh" in script
    state = str(live.get_state())
    assert len(state) < 10_000  # what a saved notebook could hold of it


def test_another_figure_is_announced_and_given_when_asked_for(live):
    live.figure = charts.bars(TABLE, title="Bars", x="points", y="chance")
    assert live.sent[-1][0] == {"kind": "new"}
    content, _ = live.hear({"ask": "figure", "view": "v"})
    assert content["title"] == "Bars"
    live.figure = None
    content, _ = live.hear({"ask": "figure", "view": "v"})
    assert "item" not in content
    assert "title" not in content


def test_an_update_that_does_not_fit_changes_nothing(live):
    good = charts.curve_columns(TABLE / 2)
    live.sent.clear()
    for sources, message in [
        ({"sailing": good}, "source: got 'sailing', allowed is sinking"),
        ({"sinking": {"x": [1.0]}}, "columns of sinking"),
        ({"sinking": good | {"x": [1.0]}}, "lengths of the columns of sinking"),
        ({"sinking": good, "sailing": good}, "source"),
    ]:
        with pytest.raises(InputError, match=message):
            live.update(sources)
    assert live.sent == []
    assert live.figure.select_one({"name": "sinking"}).data["y sunk"][1] == 0.25


def test_a_closed_widget_lets_go_and_takes_no_update():
    figure = charts.curves(TABLE, title="", x="", y="")
    live = LiveFigure(figure)
    gone = weakref.ref(figure)
    del figure
    live.close()
    assert live.figure is None
    with pytest.raises(InputError, match="figure: got None"):
        live.update({})
    gc.collect()
    assert gone() is None
