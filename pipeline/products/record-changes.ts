/**
 * Changes in the schedule since the previous snapshot: every term that this run crawled is compared with its published
 * version. **Output:** changes of the term and month, including the earlier rows of the month.
 */
import { join } from "node:path";
import { changes, KIND_OF_FIELD, WHOLE_SECTION } from "../contract/rows/change.ts";
import { samePartition, type Partition, type PublishedFile } from "../contract/documents/manifest.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { sections } from "../contract/rows/section.ts";
import { quoteIdentifier, quoteLiteral, tableRows } from "../contract/sql-text.ts";
import { duckdbColumns } from "../contract/table.ts";
import { type Term, termName } from "../contract/vocabulary.ts";
import { appendPartition, writePartition } from "../publish/partition.ts";
import type { RunContext } from "./context.ts";

/** Records the changes. @param snapshot the id of the snapshot that will be published, together with the changes */
export async function recordChanges(context: RunContext, snapshot: string): Promise<void> {
  const { database, staging } = context;
  for (const { partition, startedAt, old, checked } of await findDiffering(context)) {
    const month = { ...partition, month: startedAt.slice(0, 7) };
    const [earlierPath] = staging.paths("changes", month);
    const fresh = await writePartition(database.connection, staging, {
      table: changes,
      partition: month,
      select: compareSections(
        tableRows(sections, [old]),
        tableRows(sections, staging.paths("sections", partition)),
        tableRows(changes, staging.paths("changes", month)),
      ),
      values: [partition.year, partition.quarter, month.month, startedAt, checked, snapshot],
      allowEmpty: true,
    });
    if (fresh.rows === 0) continue;
    const earlier = staging.find("changes", month);
    staging.put(
      earlier && earlierPath !== undefined
        ? await appendPartition(database.connection, staging, changes, {
            earlier: { file: earlier, path: earlierPath },
            fresh: { file: fresh, path: join(staging.filesFolder, fresh.path) },
          })
        : fresh,
    );
  }
}

interface DifferingTerm {
  readonly partition: Term;
  /** When the crawls of the new and of the old version began. */
  readonly startedAt: string;
  readonly checked: string;
  /** The path of the old version. */
  readonly old: string;
}

/** The crawled terms whose sections are in other files than the published ones. */
export async function findDiffering(
  context: Pick<RunContext, "crawled" | "sourceName" | "staging" | "freshness" | "isBehind">,
): Promise<DifferingTerm[]> {
  const { crawled, sourceName, staging } = context;
  const differing: DifferingTerm[] = [];
  if (!isSameCampus(staging.before()?.source ?? {}, { schedule: sourceName("schedule") })) return differing;
  for (const { term, startedAt } of crawled) {
    const partition = { year: term.year, quarter: term.quarter };
    const old = await findPublished(context, partition);
    const checked = old && lastChecked(context, old.file, termName(term));
    const file = staging.find("sections", partition);
    if (old && file && checked && old.file.sha256 !== file.sha256)
      differing.push({ partition, startedAt, checked, old: old.path });
  }
  return differing;
}

/** The published version of a term; undefined if there is none, or no sound copy of it. */
async function findPublished(
  { staging }: Pick<RunContext, "staging">,
  partition: Partition,
): Promise<{ file: PublishedFile; path: string } | undefined> {
  const file = staging
    .before()
    ?.files.find((candidate) => candidate.table === "sections" && samePartition(candidate.partition, partition));
  // A damaged file was restored into the staging folder, if at all.
  if (!file) return undefined;
  const path = staging.pathOf(file);
  return (await staging.disk.stat(path)) && { file, path };
}

/**
 * The time of the last check. The freshness file belongs to the current snapshot, which is not the base if that
 * cannot be read. Undefined when it is unknown.
 */
function lastChecked(
  { freshness, isBehind, staging }: Pick<RunContext, "freshness" | "isBehind" | "staging">,
  old: PublishedFile,
  term: string,
): string | undefined {
  const { base } = staging;
  if (isBehind && base?.manifest.files.includes(old)) return base.manifest.createdAt;
  return freshness.terms[term] ?? base?.manifest.createdAt;
}

/** The compared fields of a section: columns by name, with an expression for the text of each. */
const FIELDS = duckdbColumns(sections.row.shape)
  .filter(({ name }) => !["year", "quarter", "sectionCode", "numCurrentlyEnrolled"].includes(name))
  .map(({ name, type }) => ({
    field: name,
    textOf: (of: string) =>
      type === "VARCHAR" ? `${of}.${quoteIdentifier(name)}` : `to_json(${of}.${quoteIdentifier(name)})::VARCHAR`,
  }))
  .concat(
    ["totalEnrolled", "sectionEnrolled"].map((part) => ({
      field: `numCurrentlyEnrolled.${part}`,
      textOf: (of: string) => `${of}.numCurrentlyEnrolled.${part}`,
    })),
  );

function kindOf(field: string): string {
  if (field === "cancelled") return "if(new.cancelled, 'cancelled', 'reinstated')";
  return quoteLiteral(KIND_OF_FIELD[field] ?? "other");
}

const difference = (kind: string, field: string, oldValue: string, newValue: string): string =>
  `{'kind': ${kind}, 'field': ${quoteLiteral(field)}, 'before': ${oldValue}, 'after': ${newValue}}`;

/**
 * A row for each difference between two versions of a term. `$1` to `$3` are year, quarter and month, `$4` and `$5` the
 * crawl times of the new and the old version, `$6` the snapshot. A change follows the `earlier` ones of its month,
 * whatever the clock says, and never precedes the old version.
 */
const compareSections = (previous: string, after: string, earlier: string): string => `
  WITH old AS (FROM ${previous}), new AS (FROM ${after}),
  differing AS (
    SELECT old, new FROM old FULL OUTER JOIN new ON old.sectionCode = new.sectionCode WHERE old IS DISTINCT FROM new),
  differences AS (
    SELECT old, new, unnest(CASE
      WHEN old.sectionCode IS NULL THEN [${difference("'added'", WHOLE_SECTION, "NULL", "to_json(new)::VARCHAR")}]
      WHEN new.sectionCode IS NULL THEN [${difference("'removed'", WHOLE_SECTION, "to_json(old)::VARCHAR", "NULL")}]
      ELSE list_filter([
        ${FIELDS.map(({ field, textOf }) => difference(kindOf(field), field, textOf("old"), textOf("new"))).join(",\n        ")}
      ], lambda one: one.before IS DISTINCT FROM one.after) END) AS change
    FROM differing),
  crawl AS (SELECT greatest($4::TIMESTAMPTZ, max("at") + INTERVAL 1 MILLISECOND) AS "at" FROM ${earlier})
  SELECT $1 AS year, $2 AS quarter, $3 AS month,
    crawl."at", least($5::TIMESTAMPTZ, crawl."at") AS since, $6 AS snapshot,
    coalesce(new.sectionCode, old.sectionCode) AS sectionCode, coalesce(new.deptCode, old.deptCode) AS department,
    coalesce(new.courseNumber, old.courseNumber) AS courseNumber, coalesce(new.instructors, old.instructors) AS instructors,
    change.kind, change.field, change.before, change.after
  FROM differences, crawl`;
