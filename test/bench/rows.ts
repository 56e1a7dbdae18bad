/** One measured line, and its baselines of the same run. */

export type Kind = "repeated" | "distinct";

export interface Row {
  readonly what: string;
  /** `repeated`: the same questions again and again. `distinct`: each one once, nothing is finished yet. */
  readonly kind: Kind;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
  readonly peakMegabytes: number;
  readonly loopDelayMs: number;
  readonly failures: number;
  /** Answers a second of node:http with the same bytes, and our share of it. */
  readonly ceiling?: { readonly perSecond: number; readonly share: number };
  /** The statements alone, and how many times their time an answer takes. */
  readonly floor?: { readonly perSecond: number; readonly p50: number; readonly times: number };
  /** The naive server, and how many times as many answers come from ours. */
  readonly naive?: { readonly perSecond: number; readonly times: number };
}

const number = (value: number, digits: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(digits));
export const size = (bytes: number): string =>
  bytes >= 1e6
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : bytes >= 1e4
      ? `${(bytes / 1e3).toFixed(0)} kB`
      : `${bytes.toFixed(0)} B`;

const COLUMNS: readonly (readonly [string, (row: Row) => string])[] = [
  ["question", ({ what }) => what],
  ["kind", ({ kind }) => kind],
  ["conn", ({ connections }) => String(connections)],
  ["answers/s", ({ perSecond }) => number(perSecond, 1)],
  ["p50 ms", ({ p50 }) => number(p50, 2)],
  ["p99 ms", ({ p99 }) => number(p99, 2)],
  ["body", ({ bytes }) => size(bytes)],
  ["of ceiling", ({ ceiling }) => (ceiling ? ceiling.share.toFixed(2) : "")],
  ["× floor", ({ floor }) => (floor ? floor.times.toFixed(2) : "")],
  ["naive ×", ({ naive }) => (naive ? number(naive.times, 1) : "")],
  ["peak MB", ({ peakMegabytes }) => String(peakMegabytes)],
  ["loop ms", ({ loopDelayMs }) => number(loopDelayMs, 1)],
  ["failed", ({ failures }) => (failures > 0 ? String(failures) : "")],
];

/** Columns as wide as their widest cell; texts to the left, figures to the right. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i < texts ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |\n`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|\n`;
  return line(head) + rule + rows.map(line).join("");
}

export const rowsText = (rows: readonly Row[]): string =>
  tableText(
    COLUMNS.map(([title]) => title),
    rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
    2,
  );
