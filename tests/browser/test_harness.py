"""What the other browser tests rely on the harness for, and would not notice if it were lost."""

import nbformat
import pytest
from bokeh.embed import file_html
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from bokeh.resources import INLINE


def test_a_failing_cell_fails_the_test(front_end, open_notebook):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("1 / 0")],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, front_end.folder / "failing.ipynb")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        open_notebook(front_end, "failing.ipynb")


def test_chart_data_reads_named_sources(browser, chart_data):
    source = ColumnDataSource({"turn": [0, 1], "sunk": [0.0, 0.25]}, name="sinking")
    plot = figure()
    plot.line("turn", "sunk", source=source)
    page = browser.new_page()
    page.set_content(file_html(plot, INLINE))
    page.wait_for_function("window.Bokeh?.documents?.length > 0")
    assert chart_data(page) == {"sinking": {"turn": [0, 1], "sunk": [0.0, 0.25]}}
    page.close()
