// The browser's half of live.py: shows the figure Python holds, and changes its data in place.

function render({ model, el }) {
  const view = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const gone = new AbortController();
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  const chart = document.createElement("div");
  figure.style.margin = "0";
  caption.style.cssText = "font-weight: 600; color: var(--jp-ui-font-color1, inherit)";
  figure.append(caption, chart);
  el.append(figure);

  let views = null; // of the Bokeh document shown now
  let asked = false; // for a newer one: changes meanwhile are in it already

  function ask() {
    asked = true;
    model.send({ ask: "figure", view });
  }

  async function show(title, item) {
    asked = false;
    const Bokeh = await bokeh(model, gone.signal);
    clear(Bokeh);
    caption.textContent = title ?? "";
    if (gone.signal.aborted || !item) return;
    views = await Bokeh.embed.embed_item(item, chart);
    if (gone.signal.aborted) clear(Bokeh);
  }

  function update(title, sources) {
    if (views === null || asked) return;
    caption.textContent = title;
    const [root] = views.roots;
    for (const [name, columns] of Object.entries(sources)) {
      root.model.document.get_model_by_name(name).data = columns;
    }
  }

  function clear(Bokeh) {
    if (views === null) return;
    const [root] = views.roots;
    const shown = root.model.document;
    views.clear();
    shown.clear();
    Bokeh.documents.splice(Bokeh.documents.indexOf(shown), 1);
    chart.replaceChildren();
    views = null;
  }

  // Embedding takes a while, so updates that come meanwhile wait for their turn.
  let turn = Promise.resolve();
  const next = (job) => {
    turn = turn.then(job).catch((error) => {
      if (gone.signal.aborted) return;
      caption.textContent = `This chart cannot be shown: ${error.message}`;
      console.error(error);
    });
  };

  const receive = (content, buffers) => {
    if (content.kind === "new") {
      next(ask);
    } else if (content.kind === "figure" && content.view === view) {
      next(() => show(content.title, content.item));
    } else if (content.kind === "update") {
      next(() => update(content.title, decode(content.sources, buffers)));
    }
  };
  model.on("msg:custom", receive);
  ask();

  return () => {
    model.off("msg:custom", receive);
    gone.abort();
    next(async () => clear(await bokeh(model, gone.signal)));
  };
}

// A column comes as an array of texts, or as the number of the buffer that holds its float64s.
function decode(sources, buffers) {
  const column = (told) => (Array.isArray(told) ? told : floats(buffers[told]));
  const columns = (told) =>
    Object.fromEntries(Object.entries(told).map(([name, each]) => [name, column(each)]));
  return Object.fromEntries(Object.entries(sources).map(([name, told]) => [name, columns(told)]));
}

function floats(view) {
  // Copied, since numbers of eight bytes may not start just anywhere in a message.
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// BokehJS is loaded once a page, by the first figure that needs it; the others wait for that.
const loads = (globalThis.navkitBokehLoads ??= new Map());

async function bokeh(model, signal) {
  const version = model.get("bokeh_version");
  const ready = () => globalThis.Bokeh?.[version];
  while (!ready()) {
    signal.throwIfAborted();
    if (!loads.has(version)) loads.set(version, load(model, signal));
    await loads.get(version).finally(() => loads.delete(version));
  }
  return ready();
}

// Ends without a result when the figure that asked is gone before the answer came.
async function load(model, signal) {
  const text = await new Promise((resolve) => {
    const receive = (content, buffers) => {
      if (content.kind === "script") finish(new TextDecoder().decode(buffers[0]));
    };
    const finish = (result) => {
      model.off("msg:custom", receive);
      resolve(result);
    };
    signal.addEventListener("abort", () => finish(null));
    model.on("msg:custom", receive);
    model.send({ ask: "script" });
  });
  if (text === null) return;
  const script = document.createElement("script");
  script.textContent = text;
  document.head.append(script);
  script.remove();
  if (!globalThis.Bokeh?.[model.get("bokeh_version")]) throw new Error("BokehJS did not start");
}

export default { render };
