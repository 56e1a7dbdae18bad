/** The published files: one line to a result, the tables, and how fresh they are. */
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import { resourceAddress, viewAddress } from "../data/addresses.ts";
import { count, plural, size } from "../format.ts";
import { Ago } from "../parts/ago.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

const MANIFEST = "/v1/data/manifest.json";
type Tables = BulkManifest["tables"];

export const DataView = () => (
  <>
    <PageTitle title="Data">Data</PageTitle>
    <p class="lead">Every table is published as Parquet files. Query them here with SQL, or in your own tools.</p>
    <Loaded<[BulkManifest]> addresses={[resourceAddress(MANIFEST)]} lines={40}>
      {(manifest) => (
        <>
          <OneLine tables={manifest.tables} />
          <h2>Tables</h2>
          <DataTable
            caption={`Snapshot ${manifest.id}`}
            headers={["Table", "One row per", "Rows", "Files", "Size"]}
            rows={Object.entries(manifest.tables).map(([name, { about, rows, files }]) => [
              <a href={viewAddress("/sql", { q: `from ${name} limit 20` })}>
                <code>{name}</code>
              </a>,
              about.replace(/^one row (?:an?|per)\s+/, "").replaceAll("`", ""),
              count(rows),
              count(files.length),
              size(files.reduce((sum, { bytes }) => sum + bytes, 0)),
            ])}
            isNumber={(column) => column > 1}
          />
        </>
      )}
    </Loaded>
    <Snapshots />
    <h2>More</h2>
    <ul>
      <li>
        <a href={resourceAddress(MANIFEST)}>File manifest</a>: columns, hashes and addresses
      </li>
      <li>
        <a href={viewAddress("/status")}>Data freshness</a>
      </li>
      <li>
        <a href={viewAddress("/docs")}>API reference</a>
      </li>
    </ul>
  </>
);

/** Statements that run as they are, with this server's addresses. */
function OneLine({ tables }: { tables: Tables }) {
  const file = tables["courses"]?.files[0] ?? Object.values(tables)[0]?.files[0];
  if (!file) return null;
  const address = new URL(resourceAddress(file.url), globalThis.location.href).href;
  const examples = [
    ["DuckDB", `select * from '${address}' limit 5;`],
    ["Python", `import pandas as pd; print(pd.read_parquet("${address}").head())`],
    ["R", `print(head(nanoparquet::read_parquet(url("${address}", "rb"))))`],
  ] as const;
  return (
    <>
      <h2>Query from your own tools</h2>
      {examples.map(([name, text]) => (
        <div class="example">
          <h3>{name}</h3>
          <pre tabIndex={0} role="group" aria-label={`Example for ${name}`}>
            <code>{text}</code>
          </pre>
          <CopyButton text={text} name={`the example for ${name}`} />
        </div>
      ))}
    </>
  );
}

interface SnapshotEntry {
  readonly id: string;
  readonly servedFrom: string;
}

const Snapshots = () => (
  <>
    <h2>Snapshots</h2>
    <Loaded<[readonly SnapshotEntry[]]> addresses={[resourceAddress("/v1/snapshots")]}>
      {(snapshots) => (
        <p>
          <a href={resourceAddress("/v1/snapshots")}>{plural(snapshots.length, "snapshot")}</a> can be queried with{" "}
          <code>asOf</code> on every endpoint
          {snapshots.length > 0 && (
            <>
              ; the oldest is from <Ago time={snapshots.at(-1)?.servedFrom ?? ""} />
            </>
          )}
          .
        </p>
      )}
    </Loaded>
  </>
);
