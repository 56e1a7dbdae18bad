/** The SQL box: a statement, what it will read, the answer as a table. */
import { ask } from "./ask.js";
import { h } from "./element.js";
import { createEngine } from "./sql-engine.js";
import { planStatement } from "./sql-plan.js";
import { publishedTerms } from "./term-part.js";
import { count, plural, size } from "./words.js";

/** More than this is read only after a second click. */
const MUCH_BYTES = 6e6;
const MOST_ROWS = 200;

const examples = () => {
  const [year, quarter] = (publishedTerms()[0] ?? "2024 Fall").split(" ");
  return [
    [
      "Toughest departments",
      "select department, count(*) as sections, round(avg(averageGPA), 2) as gpa\nfrom grades\ngroup by department\nhaving count(*) >= 20\norder by gpa\nlimit 10",
    ],
    [
      "Seats by school",
      `select schoolName, count(*) as sections, sum(maxCapacity::int) as seats\nfrom sections\nwhere year = '${year}' and quarter = '${quarter}'\ngroup by schoolName\norder by seats desc`,
    ],
    [
      "Courses that open most doors",
      "select id, title, len(prerequisiteFor) as needed_for\nfrom courses\norder by needed_for desc\nlimit 10",
    ],
  ];
};

const asText = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? Number(one) : one));

/** A value as a cell: numbers plain, days and times as such, nested values as JSON. `type` is Arrow's name of the column's type. */
function cell(value, type) {
  if (value === null || value === undefined) return h("span", { class: "quiet" }, "null");
  if (type.startsWith("Date")) return new Date(Number(value)).toISOString().slice(0, 10);
  if (type.startsWith("Timestamp")) return new Date(Number(value)).toISOString().slice(0, 19).replace("T", " ");
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : String(Math.round(value * 1e6) / 1e6);
  return typeof value === "object" ? asText(value) : String(value);
}

function resultTable({ table, ms }) {
  const names = table.schema.fields.map(({ name }) => name);
  const types = table.schema.fields.map(({ type }) => String(type));
  const rows = table.slice(0, MOST_ROWS).toArray();
  const isNumber = types.map((type) => /^(U?int|Float|Decimal)/i.test(type));
  const shown = table.numRows > rows.length ? `, the first ${count(rows.length)} shown` : "";
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": "Answer", tabindex: 0 },
    h(
      "table",
      { class: "plain" },
      h("caption", null, `${plural(table.numRows, "row")}${shown}, ${Math.round(ms)} ms`),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          names.map((name, i) => h("th", { scope: "col", class: isNumber[i] && "number" }, name)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            null,
            names.map((name, i) => h("td", { class: isNumber[i] && "number" }, cell(row[name], types[i]))),
          ),
        ),
      ),
    ),
  );
}

const planText = (plan) =>
  plan
    .map(
      ({ name, files, bytes, rows }) =>
        `${name} (${plural(files.length, "file")}, ${size(bytes)}, ${plural(rows, "row")})`,
    )
    .join(", ");

export function openSqlBox(place) {
  const statement = h("textarea", {
    id: "statement",
    rows: 6,
    spellcheck: "false",
    autocapitalize: "off",
    "aria-describedby": "sqlHelp",
  });
  const run = h("button", { type: "submit" }, "Run");
  const state = h("p", { class: "quiet", role: "status" });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Loading" });
  const answer = h("div");
  const tables = h("div", null, h("p", { class: "quiet" }, "Loading the list of tables"));
  const engine = createEngine((text, done, all) => {
    state.textContent = text;
    bar.hidden = false;
    if (all > 0) [bar.max, bar.value] = [all, done];
  });
  let manifest;
  const fetchManifest = async () => (manifest = await ask("/v1/data/manifest.json"));
  let confirmed;

  async function execute() {
    const text = statement.value.trim().replace(/;\s*$/, "");
    if (text === "") return;
    answer.replaceChildren();
    await fetchManifest();
    let plan = planStatement(text, manifest);
    const bytes = plan.reduce((total, one) => total + one.bytes, 0);
    if (bytes > MUCH_BYTES && confirmed !== text && !engine.has(plan)) {
      confirmed = text;
      state.textContent = `This reads ${planText(plan)}. A condition such as year = '2026' and quarter = 'Fall' makes it less. Press Run again to load it all.`;
      run.textContent = `Load ${size(bytes)} and run`;
      return;
    }
    history.replaceState(null, "", `#sql?statement=${encodeURIComponent(text)}`);
    let answered;
    try {
      answered = await engine.run(text, plan);
    } catch (error) {
      // A column that the statement does not spell out: once more, with all of them.
      if (!/Binder Error/.test(error.message)) throw error;
      plan = planStatement(text, manifest, true);
      answered = await engine.run(text, plan);
    }
    state.textContent = plan.length > 0 ? `Read ${planText(plan)}.` : "";
    answer.replaceChildren(resultTable(answered));
  }

  async function submit(event) {
    event.preventDefault();
    if (run.disabled) return;
    run.disabled = true;
    run.textContent = "Run";
    try {
      await execute();
    } catch (error) {
      state.textContent = "";
      answer.replaceChildren(h("pre", { class: "problem", role: "alert" }, error.message));
    }
    bar.hidden = true;
    run.disabled = false;
  }

  const form = h(
    "form",
    { onsubmit: submit, class: "sql" },
    h("label", { for: "statement" }, "Statement"),
    statement,
    h(
      "p",
      { id: "sqlHelp", class: "quiet" },
      "Ctrl + Enter runs it. Only the files of the tables, years and quarters that it names are fetched.",
    ),
    h(
      "div",
      { class: "row" },
      run,
      examples().map(([name, text]) =>
        h(
          "button",
          { type: "button", class: "small", onclick: () => ((statement.value = text), statement.focus()) },
          name,
        ),
      ),
    ),
  );
  statement.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  statement.addEventListener("input", () => (run.textContent = "Run"));
  const details = h("details", null, h("summary", null, "Tables and columns"), tables);
  details.addEventListener("toggle", async () => {
    if (!details.open || tables.dataset.done) return;
    try {
      await fetchManifest();
      tables.dataset.done = "true";
      tables.replaceChildren(
        h(
          "dl",
          null,
          Object.entries(manifest.tables).map(([name, { about, columns, rows }]) =>
            h(
              "div",
              null,
              h("dt", null, h("code", null, name)),
              h(
                "dd",
                null,
                `${about}; ${plural(rows, "row")}. `,
                h("span", { class: "quiet" }, columns.map((column) => column.name).join(", ")),
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      tables.replaceChildren(h("p", { class: "problem" }, error.message));
    }
  });
  const shared = new URLSearchParams(/^#sql\?(.*)$/.exec(globalThis.location.hash)?.[1] ?? "").get("statement");
  statement.value = shared ?? examples()[0][1];
  place.replaceChildren(form, state, bar, answer, details);
  if (shared) place.closest("section").scrollIntoView();
}
