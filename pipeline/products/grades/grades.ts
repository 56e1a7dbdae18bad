/**
 * Grade statistics: exports of the records office and files dropped into `data/grades/`, joined with the published
 * sections. **Output:** grades, by year
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { grades, type SheetExport } from "../../contract/rows/grade.ts";
import type { Source } from "../../contract/rows/source.ts";
import type { PublishedFile } from "../../contract/documents/manifest.ts";
import { termName } from "../../contract/vocabulary.ts";
import { toGrades } from "../../normalize/grades/grade.ts";
import { writePartition } from "../../publish/partition.ts";
import { loadRows } from "../../publish/rows.ts";
import type { Forgotten } from "../../forget/tombstones.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { sampleSizeOf } from "../../contract/sample-campus.ts";
import { hasDroppedExports } from "../../sources/records.ts";
import type { ProductStep, RunContext } from "../context.ts";
import { type Delivered, DROPPED, publishedExports, readDropped, readOffice } from "./deliveries.ts";
import { type ExportState, openExportStore } from "./export-store.ts";
import { lostGradeRows, rowsToKeep } from "./grade-rows.ts";
import { readDepartmentNames, readGradedSections, termsOf } from "./graded-sections.ts";
import { readSheets, sameAs } from "./read-sheets.ts";
import { noteUnknown } from "../guard/causes.ts";
import { sumUnknown, type UnknownField } from "../../contract/source-fields.ts";
import { sheetFields } from "../../parse/sheets/sheet-header.ts";
import { shrinkText } from "../guard/shrink.ts";
import { type Part, stage, unstage } from "../stage.ts";

export const gradesStep: ProductStep = {
  product: "grades",
  system: "records",
  tables: ["grades"],
  plan: async ({ addresses, config }) =>
    addresses.records !== undefined || (await hasDroppedExports(join(config.dataDir, "grades"))),
  async run(context, tally) {
    const { config, sourceName, staging } = context;
    // Exports of the sample campus are stored separately from real ones.
    const store = await openExportStore(
      config.dataDir,
      sampleSizeOf(sourceName("records")) ?? "office",
      context.forgotten,
    );
    const state = withoutForgotten(await store.readState(), context.forgotten);
    const delivered = [
      ...(await readOffice(context, store, { ...(await publishedExports(context)), ...state.exports }, tally)),
      ...(await readDropped(config.dataDir, tally)),
    ].filter(({ sha256 }) => {
      const isTaken = context.forgotten?.isExport(sha256) ?? false;
      if (isTaken) tally.note("taken down: not read", "a file in data/grades/");
      return !isTaken;
    });
    const names = await readDepartmentNames(context);
    const digestOf = (terms: readonly string[]) => digest(delivered, terms, names.pairs, staging.files());
    const isWhole = !staging.lost().some(({ table }) => table === "grades");
    if (isWhole && staging.paths("grades").length > 0 && digestOf(state.terms) === state.inputs) {
      tally.note(
        "no export and none of its sections changed: the grades stay as they are",
        `${delivered.length} exports`,
      );
      for (const what of state.damaged) tally.damage(what);
      await store.save({ ...state, exports: { ...state.exports, ...sameAs(state.exports, delivered) } });
      return {};
    }
    const { sheets, exports, damaged } = await readSheets(delivered, state.exports, store, tally);
    // A run that is killed after this does not fetch them again.
    await store.save({ ...state, exports });
    const terms = termsOf(sheets.flatMap(({ rows }) => rows));
    const joined = toGrades(sheets, await readGradedSections(context, terms, names), tally);
    const unknown = sumUnknown(sheets.map(({ unknown = [] }) => ({ unknown })));
    const refused = await putYears(context, joined, unknown, tally);
    const inputs = refused ? "" : digestOf([...terms.keys()]);
    return {
      received: exportSources(context, sheets, delivered),
      afterPublish: [() => store.save({ inputs, terms: [...terms.keys()], damaged, exports })],
    };
  },
};

function withoutForgotten(state: ExportState, forgotten: Forgotten | undefined): ExportState {
  const exports = Object.entries(state.exports).filter(([, { sha256 }]) => !forgotten?.isExport(sha256));
  return { ...state, exports: Object.fromEntries(exports) };
}

/** Each export is a source of every year in its rows. */
function exportSources({ now }: RunContext, sheets: readonly SheetExport[], delivered: readonly Delivered[]): Source[] {
  return sheets.flatMap(({ name, sha256, rows }) => {
    const from = delivered.find((delivery) => delivery.name === name && delivery.sha256 === sha256);
    const of = {
      system: "records",
      name: from?.dropped ? `${DROPPED}${name}` : name,
      tableName: "grades",
      quarter: null,
      sha256,
      fetchedAt: from?.fetchedAt ?? now().toISOString(),
    };
    const counts = new Map<string, number>();
    for (const { year } of rows) counts.set(year, (counts.get(year) ?? 0) + 1);
    return [...counts].map(([year, count]) => ({ ...of, year, rows: count }));
  });
}

/**
 * Increment it when the same exports yield other rows. 2: a blank average is NULL. 3: a row names its export. 4:
 * placeholders and notations of names. 5: sections and rows that contradict each other. 6: spellings of summer terms.
 */
const RULES = 6;

/** A digest of all inputs of the grades, and of the published grades themselves. */
function digest(
  delivered: readonly Delivered[],
  terms: readonly string[],
  names: readonly (readonly [name: string, code: string])[],
  files: readonly PublishedFile[],
): string {
  const wanted = new Set(terms);
  const used = files.filter(
    ({ table, partition: { year, quarter } }) =>
      table === "grades" || (table === "sections" && year && quarter && wanted.has(termName({ year, quarter }))),
  );
  const parts = [
    RULES,
    delivered.map(({ name, sha256 }) => [name, sha256]),
    [...wanted].sort(),
    names,
    used.map(({ table, sha256 }) => [table, sha256].join(" ")).sort(),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Writes every year. A year that is refused or gone keeps its published file, and so does a year without files when the
 * office is gone.
 * @returns whether any year was refused
 */
async function putYears(
  context: RunContext,
  joined: ReturnType<typeof toGrades>,
  unknown: readonly UnknownField[],
  tally: Tally,
): Promise<boolean> {
  const { database, staging } = context;
  await loadRows(database.connection, grades, joined);
  let refused = false;
  const years = new Set(joined.map((row) => row.year));
  for (const { partition, rows } of staging.files().filter(({ table }) => table === "grades")) {
    if (years.has(partition.year ?? "") || context.config.closed.includes("records")) continue;
    const text = shrinkText(`the grades of ${partition.year}, in rows,`, rows, 0);
    if (!unstage(context, { table: "grades", partition }, text, tally)) refused = true;
  }
  for (const year of [...years].sort()) {
    const request = {
      table: grades,
      partition: { year },
      select: "SELECT * FROM rows_grades WHERE year = $1",
      values: [year],
    };
    const file = await writePartition(database.connection, staging, request);
    const part = { table: "grades", partition: { year } } as const;
    const exports = new Set(joined.filter((row) => row.year === year).map(({ exportFile }) => exportFile));
    const beside = unknown.filter(({ place }) => exports.has(place));
    const what = `the grades of ${year}`;
    noteUnknown(context, { part, what, unknown: beside }, tally);
    const guarded: Part = {
      what,
      rows: { before: await rowsToKeep(context, part) },
      byQuarter: "must stay",
      known: beside.flatMap(({ place }) => sheetFields(place)),
      unknown: beside,
      alsoFor: (from) => lostGradeRows(context, part, from, tally),
    };
    if (!(await stage(context, file, guarded, tally))) refused = true;
  }
  return refused;
}
