/** The published tables and views, with the columns of each. */
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import { resourceAddress } from "../data/addresses.ts";
import { count } from "../format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { columnsOf } from "./sql-shapes.ts";

export const MANIFEST = resourceAddress("/v1/data/manifest.json");

/** Descriptions mark names as Markdown does. */
const plain = (text: string) => text.replaceAll("`", "");

export const TableList = () => (
  <nav class="tables" aria-label="Tables">
    <h2>Tables</h2>
    <Loaded<[BulkManifest]> addresses={[MANIFEST]} lines={14}>
      {({ tables, views = [] }) => (
        <>
          {Object.entries(tables).map(([name, table]) => (
            <details>
              <summary>
                <code>{name}</code> <span class="quiet">{count(table.rows)}</span>
              </summary>
              <p class="quiet">{plain(table.about)}</p>
              <dl>
                {columnsOf(table).map((column) => (
                  <div>
                    <dt>
                      <code>{column.name}</code> <span>{shortType(column.type)}</span>
                    </dt>
                    <dd>{plain(column.description)}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ))}
          {views.length > 0 && <h2>Views</h2>}
          {views.map(({ name, about, tables: read }) => (
            <details>
              <summary>
                <code>{name}</code>
              </summary>
              <p class="quiet">
                {plain(about)}; made from {read.join(" and ")}. For its columns: <code>describe {name}</code>
              </p>
            </details>
          ))}
        </>
      )}
    </Loaded>
  </nav>
);

/** Structures are shown as such, because their fields would fill the list. */
const shortType = (type: string): string =>
  type
    .toLowerCase()
    .replace(/^struct\(.*\)(\[\])?$/, "struct$1")
    .replace("timestamp with time zone", "timestamp");
