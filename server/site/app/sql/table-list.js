import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** The published tables and their columns, fetched when opened. */
import { useState } from "preact/hooks";
import { fetchJson, errorMessage } from "../fetch-json.ts";
import { plural } from "../format.ts";
export const fetchManifest = () => fetchJson("/v1/data/manifest.json");
export function TableList() {
  const [tables, setTables] = useState();
  const [problem, setProblem] = useState();
  const load = ({ currentTarget }) => {
    if (!currentTarget.open || tables) return;
    fetchManifest().then(
      (manifest) => setTables(manifest.tables),
      (error) => setProblem(errorMessage(error)),
    );
  };
  return _jsxs("details", {
    onToggle: load,
    children: [
      _jsx("summary", { children: "Tables and columns" }),
      tables
        ? _jsx("dl", {
            children: Object.entries(tables).map(([name, { about, columns, rows }]) =>
              _jsxs("div", {
                children: [
                  _jsx("dt", { children: _jsx("code", { children: name }) }),
                  _jsxs("dd", {
                    children: [
                      about,
                      "; ",
                      plural(rows, "row"),
                      ".",
                      " ",
                      _jsx("span", {
                        class: "quiet",
                        children: columns.map((one) => one.alias ?? one.name).join(", "),
                      }),
                    ],
                  }),
                ],
              }),
            ),
          })
        : _jsx("p", { class: problem ? "problem" : "quiet", children: problem ?? "Loading the list of tables" }),
    ],
  });
}
