"use strict";
(function () {
  const PAGE = 20;
  const data = JSON.parse(document.getElementById("data").textContent);
  const [TEXTS, EDITS, STATE, METHOD, BEFORE, AFTER, REASON, NOTE] = [0, 1, 2, 3, 4, 5, 6, 7];
  const columns = { state: STATE, method: METHOD, before: BEFORE, after: AFTER, reason: REASON };
  const element = (id) => document.getElementById(id);
  let shown = data.rows.map((_, number) => number);
  let page = 0;

  function make(tag, text, kind) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text; // never markup: dataset text is data
    if (kind) made.className = kind;
    return made;
  }

  function fill(id) {
    const counts = new Map();
    for (const row of data.rows) counts.set(row[columns[id]], (counts.get(row[columns[id]]) || 0) + 1);
    const select = element(id);
    select.append(new Option("all", ""));
    const known = [...counts].filter(([name]) => data.names[name] !== "");
    known.sort((one, two) => two[1] - one[1]);
    for (const [name, count] of known) {
      select.append(new Option(data.names[name] + " (" + count.toLocaleString("en") + ")", name));
    }
    select.parentElement.hidden = known.length < 2;
    select.addEventListener("change", filter);
  }

  function holds(row, wanted) {
    for (const text of row[TEXTS]) if (text !== null && text.toLowerCase().includes(wanted)) return true;
    for (const edit of row[EDITS]) if (edit[3].toLowerCase().includes(wanted)) return true;
    return false;
  }

  function filter() {
    const wanted = element("search").value.trim().toLowerCase();
    const chosen = Object.entries(columns)
      .map(([id, column]) => [column, element(id).value])
      .filter(([, value]) => value !== "")
      .map(([column, value]) => [column, Number(value)]);
    shown = [];
    data.rows.forEach((row, number) => {
      if (chosen.every(([column, value]) => row[column] === value) && (!wanted || holds(row, wanted))) {
        shown.push(number);
      }
    });
    page = 0;
    draw();
  }

  function marked(text, edits) {
    const line = make("p", undefined, "text");
    line.dir = "auto";
    let last = 0;
    for (const [, start, end, after] of edits) {
      line.append(text.slice(last, start));
      if (end > start) line.append(make("del", text.slice(start, end)));
      if (after) line.append(make("ins", after));
      last = end;
    }
    line.append(text.slice(last));
    return line;
  }

  // Python counts characters by code point, scripts by UTF-16 unit.
  function units(text, edits) {
    if (!/[\ud800-\udfff]/.test(text)) return edits;
    const offsets = [0];
    for (const sign of text) offsets.push(offsets[offsets.length - 1] + sign.length);
    return edits.map(([field, start, end, after]) => [field, offsets[start], offsets[end], after]);
  }

  // What the method recorded of the change: a name and a value per line, or a plain sentence.
  function details(note) {
    const list = make("dl", undefined, "details");
    for (const line of note.split("\n")) {
      const [name, value] = line.includes("\t") ? line.split("\t") : ["detail", line];
      list.append(make("dt", name), make("dd", name === "triples" ? value.replaceAll("; ", "\n") : value));
    }
    return list;
  }

  // A candidate of a choice: its text, and whether it won, before and after.
  function candidate(row, name, line) {
    const number = name.split(" ")[1];
    const order = /(?:^|\n)order\t([\d ]+)/.exec(data.names[row[NOTE]]);
    const earlier = order ? order[1].split(" ")[Number(number) - 1] : number;
    const won = (data.names[row[AFTER]].match(/\d+/g) || []).includes(number);
    const wonBefore = (data.names[row[BEFORE]].match(/\d+/g) || []).includes(earlier);
    const box = make("div", undefined, won ? "candidate winner" : "candidate");
    const head = make("div", undefined, "head");
    head.append(make("span", earlier === number ? name : name + ", before " + earlier));
    if (won) head.append(make("b", "won", "won"));
    else if (wonBefore) head.append(make("b", "won before", "won"));
    box.append(head, line);
    return box;
  }

  function card(row) {
    const item = make("li");
    const head = make("div", undefined, "head");
    const [before, after] = [data.names[row[BEFORE]], data.names[row[AFTER]]];
    head.append(make("span", data.names[row[STATE]]), make("span", data.names[row[METHOD]]));
    if (!data.choices) head.append(make("span", before === after ? before : before + " → " + after));
    if (data.names[row[REASON]]) head.append(make("span", data.names[row[REASON]]));
    item.append(head);
    const beside = make("div", undefined, "candidates");
    row[TEXTS].forEach((text, field) => {
      if (text === null) return; // another row has such a field
      const edits = row[EDITS].filter((edit) => edit[0] === field);
      const line = marked(text, units(text, edits));
      if (data.choices && data.fields[field].startsWith("candidate ")) {
        beside.append(candidate(row, data.fields[field], line));
        return;
      }
      if (data.fields.length > 1) line.prepend(make("span", data.fields[field], "field"));
      item.append(line);
    });
    if (data.choices) item.append(beside);
    if (data.names[row[NOTE]]) item.append(details(data.names[row[NOTE]]));
    return item;
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    const list = element("list");
    const now = shown.slice(page * PAGE, (page + 1) * PAGE).map((number) => card(data.rows[number]));
    list.replaceChildren(...now);
    element("count").textContent =
      shown.length.toLocaleString("en") + " of " + data.rows.length.toLocaleString("en") + (data.choices ? " items" : " rows");
    element("where").textContent = "page " + (page + 1).toLocaleString("en") + " of " + pages.toLocaleString("en");
    element("previous").disabled = page === 0;
    element("next").disabled = page >= pages - 1;
  }

  function turn(by) {
    page += by;
    draw();
    element("variants").scrollIntoView();
  }

  Object.keys(columns).forEach(fill);
  let waiting;
  element("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  element("previous").addEventListener("click", () => turn(-1));
  element("next").addEventListener("click", () => turn(1));
  draw();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
})();
