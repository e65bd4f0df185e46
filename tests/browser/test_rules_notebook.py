"""The notebook of the rules map as its reader has it: words typed, a rule found, its code shown."""


def test_a_rule_is_found_by_typing(front_end, open_notebook, screenshot):
    page = open_notebook(front_end, "09-rules-map.ipynb")
    found = page.locator(".widget-select select option")
    found.filter(has_text="G-88").wait_for(state="attached")  # found by the last cells
    box = page.locator(".widget-text", has=page.get_by_text("search", exact=True)).locator("input")
    box.fill("tactician lends")
    found.filter(has_text="G-54").wait_for(state="attached")
    assert found.count() == 1
    page.locator("pre", has_text="def lent(self, i: int, post: Literal").wait_for()
    box.fill("tactician")
    found.filter(has_text="G-110").wait_for(state="attached")
    number = [text.startswith("G-110") for text in found.all_inner_texts()].index(True)
    page.locator(".widget-select select").select_option(index=number)
    page.locator("pre", has_text="def boarding_skill").wait_for()
    page.get_by_role("rowheader", name="GURPS/Naval Combat").wait_for()
    screenshot(page, f"rules-{front_end.name}")
