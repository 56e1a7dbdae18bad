/** Summarizes a run in a few sentences for the person who started it, with the most important first. */
import type { Manifest } from "../contract/documents/manifest.ts";
import type { RunReport } from "../contract/documents/run-report.ts";
import { grouped } from "./run-report.ts";

/** The tables whose rows are reported, in this order. */
const COUNTED = {
  changes: "recorded changes",
  sections: "sections",
  grades: "grade rows",
  courses: "courses",
  instructors: "instructors",
} as const;

const INDENT = "  ";

export interface SummaryOptions {
  /** The manifest that was published before the run. */
  readonly before: Manifest | undefined;
  readonly after: Manifest | undefined;
  /** The path of the full report. */
  readonly reportPath: string;
  /** Columns of the terminal; longer lines are wrapped at blanks. */
  readonly width: number;
}

/** Reports the publication, problems and their remedies, news, and where to read on. */
export function summaryOf(report: RunReport, { before, after, reportPath, width }: SummaryOptions): string {
  const problems = problemsOf(report);
  const lines = [
    `${headline(report, problems.length > 0)} (${(report.ms / 1000).toFixed(1)} s)`,
    ...(problems.length === 0 ? [] : ["", "Needs attention"]),
    ...problems.flatMap(({ what, why, remedy }) => [`${INDENT}✕ ${what}: ${why}`, `${INDENT}  → ${remedy}`]),
    ...(problems.length === 0 ? [] : [""]),
    `New      ${news(before, after)}`,
    `Report   ${reportPath}`,
  ];
  return lines.flatMap((line) => [...broken(line, width)]).join("\n");
}

function headline(report: RunReport, hasProblems: boolean): string {
  if (report.withheld !== undefined) return "NOT PUBLISHED: what is in service stays.";
  const what = `snapshot ${report.snapshot}${report.changed ? "" : ", as before"}`;
  return hasProblems ? `Published with problems: ${what}.` : `Published: ${what}. All is well.`;
}

interface Problem {
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** Lists everything that needs attention; empty when all is well. */
export function problemsOf({ withheld, products, base, disk, advice, history, backup, store }: RunReport): Problem[] {
  const of = (what: string, reasons: readonly string[] = []) =>
    reasons.map((why) => ({ what, why, remedy: remedyFor(what, why, advice) }));
  return [
    ...of("publication", withheld === undefined ? [] : [withheld]),
    ...products.flatMap(({ product, error, damaged }) =>
      // A term that failed is named in both.
      of(product, [
        ...(error === undefined ? [] : [error]),
        ...damaged.filter((part) => error === undefined || !error.includes(part)),
      ]),
    ),
    ...of("published data", base?.problem === undefined ? [] : [base.problem]),
    ...of("disk", disk.problems),
    ...of("recorded history", history?.problems),
    ...of("backup", backup?.problems),
    ...of("store", store?.problems),
  ];
}

/**
 * Guards name the variable that overrides them, and the run knows about full disks; for all other faults the doctor
 * checks the configuration.
 */
function remedyFor(what: string, why: string, [advice]: readonly string[] = []): string {
  if (advice !== undefined && /\b(?:ENOSPC|EROFS)\b|no space left|read-only file system/i.test(why)) return advice;
  const [acceptance] = /ALLOW_SHRINK=[\w,]+/.exec(why) ?? [];
  if (acceptance !== undefined) return `if the university says so, accept it once: ${acceptance} make refresh`;
  if (what === "published data") return "`make verify` names every damaged file";
  return "`make doctor` looks for the cause; the next `make refresh` tries again";
}

/** Reports the number of rows, and how many were added or removed. */
function news(previous: Manifest | undefined, after: Manifest | undefined): string {
  if (!after || previous?.id === after.id) return "nothing";
  const changed = Object.entries(COUNTED).flatMap(([table, name]) => {
    const [now, then] = [rowsOf(after, table), previous ? rowsOf(previous, table) : 0];
    if (now === then) return [];
    const difference = `${now > then ? "+" : "−"}${grouped(Math.abs(now - then))}`;
    return [previous ? `${difference} ${name}` : `${grouped(now)} ${name}`];
  });
  return changed.length === 0 ? "figures within the rows that there were" : changed.join(", ");
}

const rowsOf = ({ files }: Manifest, table: string): number =>
  files.filter((file) => file.table === table).reduce((sum, { rows }) => sum + rows, 0);

/** Wraps lines at `width` columns, the later ones indented like the first. */
function* broken(line: string, width: number): Generator<string> {
  const indent = " ".repeat(/^[ ✕→]*/.exec(line)?.[0].length ?? 0);
  let rest = line;
  while (rest.length >= width) {
    const blank = rest.lastIndexOf(" ", width - 1);
    const end = blank > indent.length ? blank : width - 1;
    yield rest.slice(0, end);
    rest = indent + rest.slice(end).trimStart();
  }
  yield rest;
}
