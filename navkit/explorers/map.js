// The browser's half of map.py and replay.py: a map with its ships, its log, and what may be done.

function render({ model, el }) {
  const ask = (wish) => model.send(wish);
  const root = make("div", "navkit-map");
  // JupyterLab has keys of its own; those pressed here are meant for the map.
  root.dataset.lmSuppressShortcuts = "true";
  const headline = make("div", "headline");
  headline.setAttribute("aria-live", "polite");
  const board = make("div", "board");
  board.tabIndex = 0;
  board.setAttribute("role", "group");
  const line = make("div", "line");
  line.setAttribute("aria-live", "polite");
  const choices = make("div", "choices");
  const ships = make("div", "ships");
  const log = make("ol", "log");
  log.tabIndex = 0;
  log.setAttribute("aria-label", "Log of the fight");
  const odds = make("div", "odds");
  const stage = make("div", "stage");
  const beside = make("div", "beside");
  stage.append(board, line, choices, odds);
  beside.append(ships, log);
  root.append(headline, stage, beside);
  el.append(root);

  let active = -1; // the place in reach that is looked at
  let playing = 0; // the timer of a replay

  function show() {
    const told = model.get("shown");
    root.dataset.kind = told.kind;
    headline.textContent = told.headline;
    board.innerHTML = told.board;
    board.setAttribute("aria-label", `${told.headline} ${help(told)}`);
    active = -1;
    line.textContent = told.notice || help(told);
    line.classList.toggle("notice", Boolean(told.notice));
    choices.replaceChildren(...(told.kind === "replay" ? steps(told) : buttons(told)));
    ships.replaceChildren(...told.ships.map((ship, i) => card(ship, i, told)));
    writeLog(told);
  }

  function help(told) {
    if (told.kind === "replay") return "Space plays, arrow keys step.";
    const reach = told.poses.length ? "Arrow keys choose a place in reach, Enter goes there. " : "";
    const keys = told.choices.filter((each) => each.key).map((each) => `${each.key} ${each.words}`);
    return reach + keys.join(", ");
  }

  // Choices

  const typed = make("input", "rolls");
  typed.placeholder = "rolls made at the table";
  typed.title = "The next rolls, such as 9, 18; where there are none, the computer rolls.";
  typed.setAttribute("aria-label", typed.placeholder);

  function choose(wish) {
    const rolls = typed.value;
    typed.value = "";
    ask({ ...wish, rolls });
    board.focus({ preventScroll: true });
  }

  function buttons(told) {
    const found = told.choices.map((each) =>
      button(each.key ? `${each.words} [${each.key}]` : each.words, () => choose({ do: each.number })),
    );
    const undo = button("Undo [U]", () => choose({ undo: true }));
    undo.disabled = !told.undo;
    return [...found, undo, typed];
  }

  function steps(told) {
    const { at, count } = told.frame;
    const back = button("◀ Back", () => go(at - 1));
    const on = button("Forward ▶", () => go(at + 1));
    const play = button(playing ? "Pause" : "Play", toggle);
    const slider = make("input", "time");
    slider.type = "range";
    slider.min = 0;
    slider.max = count - 1;
    slider.value = at;
    slider.setAttribute("aria-label", "Moment of the fight");
    slider.addEventListener("input", () => go(Number(slider.value)));
    back.disabled = at === 0;
    on.disabled = at === count - 1;
    return [back, play, on, slider, make("span", "", `${at + 1} of ${count}`)];
  }

  function go(at) {
    const { count } = model.get("shown").frame;
    if (at >= 0 && at < count) ask({ at });
    if (at >= count - 1) stop();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
  }

  function toggle() {
    if (playing) {
      stop();
    } else {
      const { at, count } = model.get("shown").frame;
      if (at === count - 1) ask({ at: 0 });
      playing = setInterval(() => go(model.get("shown").frame.at + 1), 700);
    }
    show();
  }

  // Places in reach

  const poses = () => Array.from(board.querySelectorAll(".pose"));

  function look(number) {
    const told = model.get("shown");
    active = number;
    for (const pose of poses()) {
      const on = Number(pose.dataset.pose) === number;
      pose.classList.toggle("active", on);
      if (on) pose.parentNode.append(pose); // on top of its neighbours
    }
    line.textContent = number < 0 ? help(told) : told.poses[number];
    line.classList.remove("notice");
  }

  function poseOf(event) {
    const pose = event.target.closest?.(".pose");
    return pose ? Number(pose.dataset.pose) : -1;
  }

  board.addEventListener("pointerover", (event) => {
    const number = poseOf(event);
    if (number >= 0 && number !== active) look(number);
  });
  board.addEventListener("click", (event) => {
    const number = poseOf(event);
    if (number >= 0) choose({ go: number });
  });

  // The nearest place in the direction of an arrow key; the first one at first.
  function step(dx, dy) {
    const all = poses().map((pose) => {
      const { e, f } = pose.transform.baseVal.getItem(0).matrix;
      return { number: Number(pose.dataset.pose), x: e, y: f };
    });
    if (!all.length) return;
    const here = all.find((each) => each.number === active);
    if (!here) {
      look(Math.min(...all.map((each) => each.number)));
      return;
    }
    let best = null;
    for (const each of all) {
      const along = (each.x - here.x) * dx + (each.y - here.y) * dy;
      const aside = Math.abs((each.x - here.x) * dy) + Math.abs((each.y - here.y) * dx);
      if (along > 1 && (best === null || along + 2 * aside < best.cost)) {
        best = { number: each.number, cost: along + 2 * aside };
      }
    }
    if (best) look(best.number);
  }

  const ARROWS = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };

  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    if (/^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
    if (press(event.key)) event.preventDefault();
  });

  function press(key) {
    const told = model.get("shown");
    if (told.kind === "replay") {
      if (key === "ArrowLeft") go(told.frame.at - 1);
      else if (key === "ArrowRight") go(told.frame.at + 1);
      else if (key === " ") toggle();
      else return false;
      return true;
    }
    const choice = told.choices.find((each) => each.key === key.toUpperCase());
    if (key in ARROWS) step(...ARROWS[key]);
    else if (key === "Enter" && active >= 0) choose({ go: active });
    else if (choice) choose({ do: choice.number });
    else if (key.toUpperCase() === "U" && told.undo) choose({ undo: true });
    else return false;
    return true;
  }

  // Ships and log

  function card(ship, i, told) {
    const found = make("div", `card side-${ship.side}`);
    const state = ship.lost ? ` — ${ship.lost}` : "";
    found.append(make("div", "name", `${ship.label}  ${ship.name}${state}`));
    for (const [what, have, full] of ship.bars) {
      const bar = make("div", `bar ${what}`);
      const fill = make("div", "fill");
      fill.style.width = `${full ? (100 * have) / full : 0}%`;
      bar.append(fill, make("span", "", `${what} ${have} of ${full}`));
      found.append(bar);
    }
    found.append(make("div", "small", `DR ${ship.dr}; loaded ${ship.guns.join(", ") || "none"}`));
    if (told.captains) {
      const orders = make("select", "");
      orders.setAttribute("aria-label", `Captain of ${ship.name}`);
      for (const name of told.captains) orders.add(new Option(name, name));
      if (!told.captains.includes(ship.captain)) orders.add(new Option(ship.captain));
      orders.value = ship.captain;
      orders.addEventListener("change", () => ask({ order: [i, orders.value] }));
      const captain = make("label", "small", ship.played ? "yours; in the odds: " : "captain: ");
      captain.append(orders);
      found.append(captain);
    }
    return found;
  }

  function writeLog(told) {
    log.replaceChildren(
      ...told.log.map((each, number) => {
        const item = make("li", each.side ? `side-${each.side}` : "turn");
        if (number === told.frame?.at) item.classList.add("now");
        if (each.who) item.append(make("b", "", `${each.who} `));
        item.append(`${each.words} `, make("span", "rule", each.rule));
        return item;
      }),
    );
    const now = log.querySelector(".now");
    log.scrollTop = now ? now.offsetTop - log.offsetTop - log.clientHeight / 2 : log.scrollHeight;
  }

  // Odds

  // Made once, since a button that is replaced while it is pressed is not clicked.
  const progress = make("progress", "");
  const count = make("span", "");
  const cancel = button("Cancel", () => ask({ cancel: true }));
  const more = button("Go on", () => ask({ more: true }));
  const state = make("div", "state");
  const found = make("div", "");
  progress.setAttribute("aria-label", "Fights sampled");
  state.append(progress, count, cancel, more);

  function showOdds() {
    const told = model.get("odds");
    odds.hidden = !told.title && !told.over;
    if (!told.title) {
      odds.replaceChildren(told.over ?? "");
      return;
    }
    const bar = make("div", "shares");
    const words = make("div", "words");
    told.rows.forEach(([name, share, says], place) => {
      const part = make("div", `share share-${place}`);
      part.style.flexGrow = share;
      bar.append(part);
      const item = make("span", `says share-${place}`);
      item.append(make("i", ""), `${name} ${says}`);
      words.append(item);
    });
    found.replaceChildren(make("div", "", told.title), bar, words);
    progress.max = told.goal;
    progress.value = told.fights;
    count.textContent = ` ${told.fights} of ${told.goal} fights `;
    cancel.hidden = !told.running;
    more.hidden = told.running || told.fights >= told.goal;
    if (!odds.contains(state)) odds.replaceChildren(found, state);
  }

  const shownAnew = () => show();
  const oddsAnew = () => showOdds();
  model.on("change:shown", shownAnew);
  model.on("change:odds", oddsAnew);
  show();
  showOdds();
  ask({ loaded: true });
  return () => {
    stop();
    model.off("change:shown", shownAnew);
    model.off("change:odds", oddsAnew);
  };
}

function make(tag, kind, text = "") {
  const found = document.createElement(tag);
  if (kind) found.className = kind;
  found.textContent = text;
  return found;
}

function button(text, act) {
  const found = make("button", "", text);
  found.type = "button";
  found.addEventListener("click", act);
  return found;
}

export default { render };
