/** The results as Markdown tables. */
import type { Row } from "./measure.ts";
import { isMet, type Target } from "./targets.ts";
import type { YearsFigure } from "./years/years.ts";

export const number = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function toSize(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 1e4 ? `${(bytes / 1e3).toFixed(0)} kB` : `${bytes} B`;
}

/** Columns as wide as their widest cell; the first `texts` are aligned to the left, the others to the right. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const pad = (cell: string, i: number) => (i < texts ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0));
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(" | ")} |\n`;
  return `${line(head)}|${widths.map((width) => "-".repeat(width + 2)).join("|")}|\n${rows.map(line).join("")}`;
}

export const rowsTable = (rows: readonly Row[]): string =>
  toTable(
    ["request", "kind", "connections", "responses/s", "p50 ms", "p99 ms", "body", "of bare", "naive ×", "failed"],
    rows.map((row) => [
      row.name,
      row.kind,
      String(row.connections),
      number(row.perSecond),
      number(row.p50),
      number(row.p99),
      toSize(row.bytes),
      number(row.ofBare),
      row.timesNaive === undefined ? "" : number(row.timesNaive),
      row.failures > 0 ? String(row.failures) : "",
    ]),
    2,
  );

export const targetsTable = (targets: readonly Target[]): string =>
  toTable(
    ["target", "limit", "value", "met"],
    targets.map((target) => {
      const met = isMet(target);
      const limit = `${target.isLeast ? "≥" : "≤"} ${target.limit}`;
      return [
        target.name,
        limit,
        target.value === undefined ? "" : number(target.value),
        met === undefined ? "?" : met ? "yes" : "NO",
      ];
    }),
    1,
  );

export function yearsTable(figures: readonly YearsFigure[]): string {
  const counts = Object.keys(figures[0]?.values ?? {});
  return toTable(
    ["years", ...counts, "aim"],
    figures.map(({ name, unit, values, aim, isLeast = false }) => [
      name,
      ...counts.map((count) => `${number(values[Number(count)] ?? NaN)} ${unit}`),
      aim === Infinity ? "" : `${isLeast ? "≥" : "≤"} ${aim} ${unit}`,
    ]),
    1,
  );
}
