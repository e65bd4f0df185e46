// Moves the curves of a prep sheet: the sliders choose among fights that have been played already.
(() => {
  const told = JSON.parse(document.getElementById("played").textContent);
  const slider = (name) => document.getElementById(`dial-${name}`);

  function source(name) {
    for (const shown of Bokeh.documents) {
      const found = shown.get_model_by_name(name);
      if (found) return found;
    }
    return null;
  }

  function value(name) {
    const input = slider(name);
    return input ? Number(input.value) : 0;
  }

  function say(name, text) {
    const input = slider(name);
    if (!input) return;
    input.setAttribute("aria-valuetext", text);
    document.getElementById(`says-${name}`).textContent = text;
  }

  function show() {
    const turns = value("turns");
    const a = value("a"), b = value("b");
    say("turns", String(turns));
    for (const side of ["a", "b"]) {
      if (told.values) say(side, String(told.values[side][value(side)]));
    }
    const charts = told.charts[a][b];
    for (const [name, columns] of Object.entries(charts)) {
      const data = {};
      for (const [column, values] of Object.entries(columns)) {
        data[column] = values.slice(0, turns + 1);
      }
      source(name).data = data;
    }
    const ends = told.names.map((name) => `${name} ${charts.out[`says ${name}`][turns]}`);
    document.getElementById("says").textContent =
      `Out of the fight by ${told.unit} ${turns}: ${ends.join(", ")}.`;
  }

  function begin() {
    if (!source("out") || !source("left")) return setTimeout(begin, 20);
    for (const name of ["turns", "a", "b"]) slider(name)?.addEventListener("input", show);
    document.getElementById("dials").addEventListener("reset", () => setTimeout(show));
    show();
    document.documentElement.dataset.ready = "yes";
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
