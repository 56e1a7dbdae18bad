/** The published tables and their columns, fetched when opened. */
import { useState } from "preact/hooks";
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import { resourceAddress } from "../data/addresses.ts";
import { fetchJson, errorMessage } from "../data/fetch-json.ts";
import { plural } from "../format.ts";

export const fetchManifest = () => fetchJson<BulkManifest>(resourceAddress("/v1/data/manifest.json"));

export function TableList() {
  const [manifest, setManifest] = useState<BulkManifest | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const load = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (!currentTarget.open || manifest) return;
    fetchManifest().then(setManifest, (error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <details onToggle={load}>
      <summary>Tables and columns</summary>
      {manifest ? (
        <dl>
          {Object.entries(manifest.tables).map(([name, { about, columns, rows }]) => (
            <div>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {about}; {plural(rows, "row")}.{" "}
                <span class="quiet">{columns.map((one) => one.alias ?? one.name).join(", ")}</span>
              </dd>
            </div>
          ))}
          {(manifest.views ?? []).map(({ name, about, tables }) => (
            <div>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {about}; made from {tables.join(" and ")}.
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p class={problem ? "problem" : "quiet"}>{problem ?? "Loading the list of tables"}</p>
      )}
    </details>
  );
}
