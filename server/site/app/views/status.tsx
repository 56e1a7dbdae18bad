/** How fresh the data is: one sentence first, then what needs attention, then the tables. */
import type { Dropped, ProductReport, RunReport } from "../../../../pipeline/contract/documents/run-report.ts";
import type { Status } from "../../../status/status-report.ts";
import { resourceAddress } from "../data/addresses.ts";
import { termRange } from "../data/term-order.ts";
import { count, olderTermsText, plural, size } from "../format.ts";
import { Ago, Overdue } from "../parts/ago.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { PageTitle } from "../parts/page-title.tsx";

export const StatusView = () => (
  <>
    <PageTitle title="Status">Status</PageTitle>
    <Loaded<[Status]> addresses={[resourceAddress("/status")]} lines={10}>
      {(status) => (
        <>
          <Summary {...status} />
          <Attention {...status} />
          <Closed {...status} />
          {status.lastRun && <LastRun run={status.lastRun} looked={status.looked} />}
          <Contents {...status} />
        </>
      )}
    </Loaded>
  </>
);

function Summary({ snapshot, refused, nextRefresh, olderTerms }: Status) {
  if (!snapshot)
    return <p class="lead">✕ {refused === null ? "No data has been published yet." : "No snapshot is available."}</p>;
  const published = new Date(Date.now() - snapshot.ageSeconds * 1000).toISOString();
  const isOverdue = nextRefresh !== null && Date.parse(nextRefresh) < Date.now();
  if (olderTerms !== null) {
    const terms = snapshot.tables.find(({ table }) => table === "sections")?.parts.length ?? 0;
    return <p class="lead">● The first build continues: {olderTermsText(terms, olderTerms)}.</p>;
  }
  return (
    <p class="lead">
      {snapshot.stale ? (
        <strong class="bad">✕ Data is out of date</strong>
      ) : (
        <strong class="good">● Data is up to date</strong>
      )}
      : last refresh <Ago time={published} />
      {nextRefresh !== null && snapshot.overdueSince === null && (
        <>
          , the next {isOverdue ? "was due" : "is due"} <Ago time={nextRefresh} />
        </>
      )}
      <Overdue since={snapshot.overdueSince} />.
    </p>
  );
}

function problemsOf({ snapshot, refused, lastRun, withheld }: Status): string[] {
  const products = lastRun?.products ?? [];
  return [
    ...(refused === null
      ? []
      : [
          `${snapshot ? "A newer snapshot was rejected; the last valid one is still served" : "The snapshot was rejected"}: ${refused}`,
        ]),
    ...withheld.map(
      ({ part, since, reasons, accept }) =>
        `${part} has not been updated since ${since}; a newer version was refused: ${reasons.join("; ")}. If the new data is right: ${accept}`,
    ),
    ...products.flatMap(({ product, error, damaged }) =>
      [...(error === undefined ? [] : [error]), ...damaged].map((why) => `${product}: ${why}`),
    ),
    ...(lastRun?.history?.problems ?? []),
    ...(lastRun?.backup?.problems ?? []),
  ];
}

function Attention(status: Status) {
  const problems = problemsOf(status);
  return (
    <>
      <h2>Needs attention</h2>
      {problems.length === 0 ? (
        <p>Nothing needs attention. Every product of the last run is published or unchanged.</p>
      ) : (
        <ul class="problems">
          {problems.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
      {status.lastRefused !== null && status.refused === null && (
        <p class="quiet">
          A snapshot was rejected <Ago time={status.lastRefused.at} />: {status.lastRefused.why}
        </p>
      )}
    </>
  );
}

/** Systems that are gone are no problem. */
const Closed = ({ closed }: Status) =>
  Object.keys(closed).length > 0 && (
    <ul class="quiet">
      {Object.entries(closed).map(([system, text]) => (
        <li>
          {system}: {text}.
        </li>
      ))}
    </ul>
  );

const sumOf = (all: readonly Dropped[]): number => all.reduce((sum, item) => sum + item.count, 0);
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function LastRun({ run, looked }: { run: RunReport; looked: Status["looked"] }) {
  const { mode, startedAt, ms, changed, products, backup, history } = run;
  return (
    <>
      <h2>Last run</h2>
      <p>
        A {mode} <Ago time={startedAt} />. It took {seconds(ms)} s and{" "}
        {changed ? "published a new snapshot" : "found no changes"}.
      </p>
      <DataTable
        caption="By product"
        headers={["Product", "Result", "Read", "Kept", "Added", "Dropped", "Seconds", "Last refresh"]}
        rows={products.map(({ product, status, read, kept, dropped, ms: took }) => [
          product,
          status === "failed" ? <strong class="bad">✕ failed</strong> : status,
          count(read),
          // Some rows come from elsewhere than what was read, such as recorded history.
          count(Math.min(kept, read)),
          count(Math.max(0, kept - read)),
          count(sumOf(dropped)),
          seconds(took),
          looked[product] === undefined ? "" : <Ago time={looked[product]} />,
        ])}
        isNumber={(column) => column > 1 && column < 7}
      />
      {products.map((product) => (
        <Reasons {...product} />
      ))}
      <p class="quiet">
        {backup?.newest
          ? `Recorded history: ${plural(backup.backups, "backup")}, ${size(backup.bytes)}; the newest is from ${backup.newest}.`
          : "Recorded history: no backup."}{" "}
        {[...(history?.notes ?? []), ...(backup?.repaired ?? []).map((what) => `Backup repaired: ${what}`)].join(" ")}
      </p>
    </>
  );
}

/** Names shown per reason; the JSON has all. */
const MAX_NAMES = 10;

const Reasons = ({ product, dropped, noted }: ProductReport) => (
  <>
    {[...dropped.map((item) => ["dropped", item] as const), ...noted.map((item) => ["noted", item] as const)].map(
      ([word, { reason, count: rows, names }]) => (
        <details>
          <summary>
            {product}: {word} {count(rows)}: {reason}
          </summary>
          <ul>
            {names.slice(0, MAX_NAMES).map((name) => (
              <li>{name}</li>
            ))}
            {rows > MAX_NAMES && <li>and {count(rows - Math.min(MAX_NAMES, names.length))} more</li>}
          </ul>
        </details>
      ),
    )}
  </>
);

function Contents({ snapshot, disk, retained }: Status) {
  if (!snapshot) return null;
  return (
    <>
      <h2>Contents</h2>
      <p>
        Snapshot <code>{snapshot.id}</code>, generation {snapshot.generation}, built <Ago time={snapshot.createdAt} />.
      </p>
      <DataTable
        caption="Published tables"
        headers={["Table", "Rows", "Size", "Terms or years"]}
        rows={snapshot.tables.map(({ table, rows, bytes, parts }) => [
          table,
          count(rows),
          size(bytes),
          termRange(parts.map(({ name }) => name)),
        ])}
        isNumber={(column) => column === 1 || column === 2}
      />
      <p class="quiet">
        {plural(disk.generations, "generation")} kept, {size(disk.bytes)} on disk.{" "}
        {retained.oldest !== null && (
          <>
            <a href={resourceAddress("/v1/snapshots")}>{plural(retained.snapshots, "snapshot")}</a> can be queried with{" "}
            <code>asOf</code>; the oldest is from <Ago time={retained.oldest} />
            {retained.retain !== null && (
              <>
                {" "}
                (<code>RETAIN={retained.retain}</code>)
              </>
            )}
            .
          </>
        )}
      </p>
    </>
  );
}
