import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { statementAddress } from "../address.ts";
import { errorMessage } from "../fetch-json.ts";
import { SqlResult } from "./sql-result.tsx";
import { createEngine } from "./sql-engine.ts";
import { sqlExamples } from "./sql-examples.ts";
import { planStatement } from "./sql-plan.ts";
import { fetchManifest, TableList } from "./table-list.tsx";
import { plural, size } from "../format.ts";
/** Larger downloads need a second click. */
const CONFIRM_BYTES = 6e6;
const formatPlan = (plan) =>
  plan
    .map(
      ({ name, files, bytes, rows }) =>
        `${name} (${plural(files.length, "file")}, ${size(bytes)}, ${plural(rows, "row")})`,
    )
    .join(", ");
/** `files`: URL of DuckDB's files; `shared`: the statement in the URL. */
export function SqlBox({ shared, files }) {
  const examples = sqlExamples();
  const [engine] = useState(() => createEngine(files));
  const [box, update] = useReducer((state, change) => ({ ...state, ...change }), {
    statement: shared ?? examples[0]?.statement ?? "",
    status: "",
    progress: undefined,
    result: undefined,
    pendingBytes: undefined,
  });
  const field = useRef(null);
  useEffect(() => {
    if (shared !== undefined) field.current?.closest("section")?.scrollIntoView();
  }, []);
  const write = (statement) => update({ statement, pendingBytes: undefined });
  const isRunning = box.progress !== undefined;
  async function execute() {
    const text = box.statement.trim().replace(/;\s*$/, "");
    if (text === "") return {};
    const manifest = await fetchManifest();
    let plan = planStatement(text, manifest);
    const bytes = plan.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > CONFIRM_BYTES && box.pendingBytes === undefined && !engine.has(plan))
      return {
        pendingBytes: bytes,
        status: `This reads ${formatPlan(plan)}. A condition such as year = '2026' and quarter = 'Fall' makes it less. Press Run again to load it all.`,
      };
    history.replaceState(null, "", statementAddress(text));
    const run = () => engine.run(text, plan, (status, done, all) => update({ status, progress: { done, all } }));
    const result = await run().catch((error) => {
      // The statement uses a column without naming it: retry with all columns.
      if (!errorMessage(error).includes("Binder Error")) throw error;
      plan = planStatement(text, manifest, true);
      return run();
    });
    return { result, status: plan.length > 0 ? `Read ${formatPlan(plan)}.` : "" };
  }
  async function submit(event) {
    event.preventDefault();
    if (isRunning) return;
    update({ progress: { done: 0, all: 1 }, result: undefined, pendingBytes: undefined });
    const change = await execute().catch((error) => ({
      status: "",
      result: { problem: errorMessage(error) },
    }));
    update({ ...change, progress: undefined });
  }
  const submitByKey = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  };
  return _jsxs(_Fragment, {
    children: [
      _jsxs("form", {
        onSubmit: submit,
        children: [
          _jsx("label", { for: "statement", children: "Statement" }),
          _jsx("textarea", {
            id: "statement",
            ref: field,
            rows: 6,
            spellcheck: false,
            autocapitalize: "off",
            "aria-describedby": "sqlHelp",
            value: box.statement,
            onInput: ({ currentTarget }) => write(currentTarget.value),
            onKeyDown: submitByKey,
          }),
          _jsx("p", {
            id: "sqlHelp",
            class: "quiet",
            children:
              "Ctrl + Enter runs it. Only the files of the tables, years and quarters that it names are fetched.",
          }),
          _jsxs("div", {
            class: "row",
            children: [
              _jsx("button", {
                type: "submit",
                disabled: isRunning,
                children: box.pendingBytes === undefined ? "Run" : `Load ${size(box.pendingBytes)} and run`,
              }),
              examples.map(({ name, statement }) =>
                _jsx("button", {
                  type: "button",
                  class: "small",
                  onClick: () => {
                    write(statement);
                    field.current?.focus();
                  },
                  children: name,
                }),
              ),
            ],
          }),
        ],
      }),
      _jsx("p", { class: "quiet", role: "status", children: box.status }),
      _jsx("progress", {
        hidden: !isRunning,
        max: box.progress?.all || 1,
        value: box.progress?.done ?? 0,
        "aria-label": "Loading",
      }),
      box.result &&
        ("problem" in box.result
          ? _jsx("pre", { class: "problem", role: "alert", children: box.result.problem })
          : _jsx(SqlResult, { ...box.result })),
      _jsx(TableList, {}),
    ],
  });
}
