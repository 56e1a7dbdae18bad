/** The build report as a page without script. */
import type { Dropped, ProductReport, RunReport } from "../../../pipeline/contract/documents/run-report.ts";
import { SNAPSHOTS_PATH } from "../../response/as-of.ts";
import { escapeMarkup as escape } from "../../response/escape-markup.ts";
import { htmlDueTime, htmlTime as time } from "../html.ts";
import type { Status } from "./status.ts";

/** Names shown per reason; the JSON has all. */
const MAX_NAMES = 10;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h2{margin-top:2rem}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{border-top:1px solid #ddd;padding:.35rem .8rem .35rem 0;vertical-align:top;text-align:left}.n{text-align:right;font-variant-numeric:tabular-nums}
.bad{color:#a40000;font-weight:600}.good{color:#146c2e}.note{background:#fff4d6;padding:.6rem .8rem;border-radius:.3rem}summary{cursor:pointer}time{white-space:nowrap}table{margin-bottom:1rem}
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}a{color:#8ab4ff}th,td{border-color:#444}.bad{color:#ff9b93}.good{color:#7ad491}.note{background:#4a3b00}}`;

export function statusPage(status: Status, now = new Date()): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Status: Academic Data REST Service</title><style>${STYLE}</style></head>
<body><main><h1>Status</h1>
${service(status, now)}
${status.lastRun ? lastRun(status.lastRun, status.looked) : "<p>There is no report of a run yet.</p>"}
${contents(status)}
<p><a href="/">Start page</a>. As JSON: <code>curl -s …/status</code></p>
</main></body></html>
`;
}

function service({ snapshot, refused, lastRefused, nextRefresh }: Status, now: Date): string {
  const lines = snapshot
    ? [
        `<p>Serving snapshot <code>${snapshot.id}</code>, generation ${snapshot.generation}, built ${time(snapshot.createdAt)}.</p>`,
        `<p class="${snapshot.stale ? "bad" : "good"}">Last successful refresh: ${duration(snapshot.ageSeconds)} ago${snapshot.stale ? " (stale)" : ""}.</p>`,
      ]
    : [`<p class="bad">${refused === null ? "No data has been published yet." : "No snapshot can be served."}</p>`];
  if (nextRefresh !== null) lines.push(`<p>Next refresh: ${htmlDueTime(nextRefresh, now)}.</p>`);
  if (refused !== null)
    lines.push(
      `<p class="note">${snapshot ? "A newer snapshot was rejected, the last valid one stays in service" : "The published snapshot was rejected"}: ${escape(refused)}</p>`,
    );
  else if (lastRefused !== null)
    lines.push(`<p>A snapshot was rejected at ${time(lastRefused.at)}: ${escape(lastRefused.why)}</p>`);
  return lines.join("\n");
}

function lastRun(
  { mode, startedAt, ms, changed, products, failed, backup, history }: RunReport,
  looked: Status["looked"],
): string {
  const outcome = failed
    ? '<span class="bad">failures or damaged data</span>'
    : '<span class="good">every product is published or unchanged</span>';
  return `<h2>Last run</h2>
<p>${escape(mode)} of ${time(startedAt)}, ${(ms / 1000).toFixed(1)} s; ${changed ? "published a new snapshot" : "nothing changed"}; ${outcome}.</p>
<div class="wide" tabindex="0"><table><thead><tr><th>product</th><th>outcome</th><th class="n">read</th><th class="n">kept</th><th class="n">dropped</th><th class="n">s</th><th>last refresh</th></tr></thead>
<tbody>${products.map((product) => row(product, looked[product.product])).join("\n")}</tbody></table></div>
${products.map(details).join("\n")}
${backupLines(backup, history)}`;
}

function backupLines(backup: RunReport["backup"], history: RunReport["history"]): string {
  const bad = [...(history?.problems ?? []), ...(backup?.problems ?? [])].map(
    (why) => `<p class="bad">${escape(why)}</p>`,
  );
  const notes = [...(history?.notes ?? []), ...(backup?.repaired ?? []).map((what) => `backup repaired: ${what}`)];
  const summary = backup?.newest
    ? `Recorded history: ${plural(backup.backups, "backup")}, the newest of ${escape(backup.newest)}, ${megabytes(backup.bytes)} MB.`
    : "Recorded history: no backup.";
  return `<p>${summary}</p>${notes.map((note) => `<p>${escape(note)}</p>`).join("")}${bad.join("")}`;
}

function row({ product, status, read, kept, dropped, ms }: ProductReport, looked: string | undefined): string {
  const outcome = status === "failed" ? '<b class="bad">failed</b>' : status;
  const count = dropped.reduce((sum, one) => sum + one.count, 0);
  return `<tr><td>${product}</td><td>${outcome}</td><td class="n">${number(read)}</td><td class="n">${number(kept)}</td><td class="n">${number(count)}</td><td class="n">${(ms / 1000).toFixed(1)}</td><td>${looked === undefined ? "" : time(looked)}</td></tr>`;
}

function details({ product, error, damaged, dropped, noted }: ProductReport): string {
  const faults = [...(error === undefined ? [] : [error]), ...damaged].map(
    (why) => `<p class="bad">${product}: ${escape(why)}</p>`,
  );
  const reasons = (word: string, all: readonly Dropped[]) =>
    all.map(({ reason, count, names }) => {
      const items = names.slice(0, MAX_NAMES).map((name) => `<li>${escape(name)}</li>`);
      const more = count > items.length ? `<li>and ${number(count - items.length)} more</li>` : "";
      return `<details><summary>${product}: ${word} ${number(count)}: ${escape(reason)}</summary><ul>${items.join("")}${more}</ul></details>`;
    });
  return [...faults, ...reasons("dropped", dropped), ...reasons("noted", noted)].join("\n");
}

function contents({ snapshot, disk, retained }: Status): string {
  const rows = (snapshot?.tables ?? []).map(({ table, rows, bytes, parts }) => {
    const terms = parts.map(({ name, rows: count }) => `${escape(name)}: ${number(count)}`).join("; ");
    const shown =
      parts.length === 0 ? "" : `<details><summary>${number(parts.length)}</summary><small>${terms}</small></details>`;
    return `<tr><td>${escape(table)}</td><td class="n">${number(rows)}</td><td class="n">${megabytes(bytes)}</td><td>${shown}</td></tr>`;
  });
  return `<h2>Contents</h2>
<div class="wide" tabindex="0"><table><thead><tr><th>table</th><th class="n">rows</th><th class="n">MB</th><th>terms or years</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>
<p>${plural(disk.generations, "generation")} kept, ${megabytes(disk.bytes)} MB on disk.</p>
${retained.oldest === null ? "" : `<p><a href="${SNAPSHOTS_PATH}">${plural(retained.snapshots, "snapshot")}</a> retained, the oldest of ${time(retained.oldest)}${retained.retain === null ? "" : ` (<code>RETAIN=${escape(retained.retain)}</code>)`}.</p>`}`;
}

const number = (value: number): string => value.toLocaleString("en-US");
const plural = (count: number, word: string): string => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60)} hours`;
}
