/** A run in a few sentences for the person who started it: what matters first. */
import type { Manifest } from "../contract/documents/manifest.ts";
import type { RunReport } from "../contract/documents/run-report.ts";
import { grouped } from "./run-report.ts";

/** What a person counts, in the order in which it is told. */
const COUNTED = {
  changes: "recorded changes",
  sections: "sections",
  grades: "grade rows",
  courses: "courses",
  instructors: "instructors",
} as const;

const INDENT = "  ";

export interface SummaryOptions {
  /** What was published before the run, and after it. */
  readonly before: Manifest | undefined;
  readonly after: Manifest | undefined;
  /** Where the full report is. */
  readonly reportPath: string;
  /** Columns of the terminal; longer lines are broken at blanks. */
  readonly width: number;
}

/** Whether the data is published, what needs attention and what to do about it, what is new, where to read on. */
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

/** What needs attention; nothing where all is well. */
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

/** Guards name the variable that overrides them, the run knows about full disks; for all other faults the doctor looks at what is configured. */
function remedyFor(what: string, why: string, [advice]: readonly string[] = []): string {
  if (advice !== undefined && /\b(?:ENOSPC|EROFS)\b|no space left|read-only file system/i.test(why)) return advice;
  const [acceptance] = /ALLOW_SHRINK=[\w,]+/.exec(why) ?? [];
  if (acceptance !== undefined) return `if the university says so, accept it once: ${acceptance} make refresh`;
  if (what === "published data") return "`make verify` names every damaged file";
  return "`make doctor` looks for the cause; the next `make refresh` tries again";
}

/** How many rows there are, and how many more or less than before. */
function news(before: Manifest | undefined, after: Manifest | undefined): string {
  if (!after || before?.id === after.id) return "nothing";
  const changed = Object.entries(COUNTED).flatMap(([table, name]) => {
    const [now, then] = [rowsOf(after, table), before ? rowsOf(before, table) : 0];
    if (now === then) return [];
    const difference = `${now > then ? "+" : "−"}${grouped(Math.abs(now - then))}`;
    return [before ? `${difference} ${name}` : `${grouped(now)} ${name}`];
  });
  return changed.length === 0 ? "figures within the rows that there were" : changed.join(", ");
}

const rowsOf = ({ files }: Manifest, table: string): number =>
  files.filter((file) => file.table === table).reduce((sum, { rows }) => sum + rows, 0);

/** Lines of at most `width` columns, the later ones indented as their first. */
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
