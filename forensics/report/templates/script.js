(() => {
  "use strict";
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const SHOWN = 12;
  const ROOM = 4;

  const addFold = (table) => {
    const n = table.tBodies.length;
    if (n <= SHOWN + ROOM) return;
    table.classList.add("folded");
    const button = make("button", "", "plain");
    button.type = "button";
    const say = () => {
      const open = table.classList.contains("open");
      button.textContent = open ? `Show the first ${SHOWN} rows` : `Show all ${n.toLocaleString("en")} rows`;
      button.setAttribute("aria-expanded", String(open));
    };
    button.addEventListener("click", () => {
      table.classList.toggle("open");
      say();
    });
    say();
    const line = make("p", "", "more");
    line.append(button);
    table.closest(".scroll").after(line);
  };

  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const valueOf = (body, column) => {
    const cell = body.rows[0].cells[column];
    if (cell.hasAttribute("data-none")) return null;
    return cell.hasAttribute("data-v") ? Number(cell.getAttribute("data-v")) : cell.textContent;
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b));
  };
  const addSort = (table) => {
    const bodies = Array.from(table.tBodies);
    if (bodies.length < 2) return;
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      const button = make("button", head.textContent);
      button.type = "button";
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        let order = bodies;
        if (before !== "descending") {
          const way = before === "ascending" ? -1 : 1;
          head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
          order = bodies
            .map((body) => [valueOf(body, column), body])
            .sort(([a], [b]) => (a === null || b === null ? compare(a, b) : way * compare(a, b)))
            .map(([, body]) => body);
        }
        table.append(...order);
      });
    });
  };

  const search = () => {
    const form = document.querySelector(".find");
    const input = form.querySelector("input");
    const output = form.querySelector("output");
    const rows = all("table.rows > tbody, .dossier").map((row) => [row, null]);
    const blocks = all(".finding, .quiet > details, .part");
    const textOf = (entry) => (entry[1] ??= entry[0].textContent.toLowerCase());
    const run = () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      document.body.classList.toggle("finding-words", wanted.length > 0);
      let n = 0;
      for (const entry of rows) {
        const hit = wanted.every((word) => textOf(entry).includes(word));
        entry[0].hidden = !hit;
        if (hit) n += 1;
      }
      for (const block of blocks) {
        const inner = all("table.rows > tbody, .dossier", block);
        block.hidden = wanted.length > 0 && inner.length > 0 && inner.every((row) => row.hidden);
      }
      output.textContent = wanted.length === 0 ? "" : n === 0 ? "No row matches" : n === 1 ? "1 row matches" : `${n.toLocaleString("en")} rows match`;
    };
    let waiting = 0;
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(run, 60);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement;
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
      } else if (event.key === "Escape" && event.target === input) {
        input.value = "";
        run();
      }
    });
    form.hidden = false;
  };

  const addCopy = (box) => {
    const code = box.querySelector("code");
    const button = make("button", "Copy", "plain");
    button.type = "button";
    button.setAttribute("aria-label", `Copy: ${code.textContent}`);
    const select = () => getSelection().selectAllChildren(code);
    button.addEventListener("click", () => {
      const done = () => {
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
      else select();
    });
    box.append(button);
  };

  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const table = target.closest("table.folded:not(.open)");
    if (table && getComputedStyle(target).display === "none") {
      table.closest(".scroll").nextElementSibling.querySelector("button").click();
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };

  all("table.rows").forEach((table) => {
    addFold(table);
    addSort(table);
  });
  all(".cmd").forEach(addCopy);
  search();
  addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("main details:not([open])");
    closed.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => closed.forEach((details) => (details.open = false)));
  const toc = document.querySelector(".toc > details");
  if (matchMedia("(max-width: 67.99rem)").matches) toc.open = false;
})();
