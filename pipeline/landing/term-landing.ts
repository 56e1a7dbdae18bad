/**
 * The landing files of a term's crawl: sections and headings of each department, and the codes of each GE category.
 * They are the crawl's checkpoint, so a killed crawl can be resumed, and the input of publishing. Those of the published
 * crawl are kept for the next crawl, which takes them for pages that did not change.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Department } from "../contract/rows/listing.ts";
import { headings, landedGe, landedSections, type Heading, type LandedSection } from "../contract/rows/section.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { QUARTERS, type GeCategory, type Term } from "../contract/vocabulary.ts";
import { readRegularFile } from "../regular-files.ts";
import {
  MEMO,
  moveLandingFile,
  readLandingRows,
  readMemo,
  sealFile,
  UNSEALED,
  writeLandingFile,
} from "./landing-file.ts";
import { unitMemo, type UnitMemo } from "./unit-memo.ts";

/** `crawl.json`: identifies the crawl that the folder belongs to. */
const crawlRecord = z.object({
  contract: z.int(),
  /** How the files hold their rows: those of another version of the programs are crawled again. */
  rows: z.literal("JSON"),
  source: z.string(),
  year: z.string(),
  quarter: z.enum(QUARTERS),
  /** A hash of the departments of the search form. */
  listing: z.string(),
  startedAt: z.iso.datetime(),
  /** The hashes of the published files; absent while the crawl is not published. */
  published: z.object({ sections: z.string(), headings: z.string() }).exactOptional(),
});
type CrawlRecord = z.infer<typeof crawlRecord>;
/** The SHA-256 of the files that were made from a landing. */
export type PublishedAs = NonNullable<CrawlRecord["published"]>;

export interface TermLandingOptions {
  /** The folder of all landings of the schedule, `data/landing/schedule`. */
  root: string;
  term: Term;
  /** Identifies the upstream: its address, or the sample campus's name. */
  source: string;
  departments: readonly Department[];
  /** The maximum age of a crawl that is resumed, in milliseconds. */
  maxAgeMs: number;
  now: () => Date;
  /** Removes taken-down data from the landed rows. */
  withoutForgotten?: (<Rows>(rows: Rows) => Rows) | undefined;
  /** False to parse every page again, also those that are equal to the published crawl's. Default: true. */
  isReused?: boolean | undefined;
}

/** A unit of a crawl: the code of a department, or a GE category. */
export type Unit = { readonly department: string } | { readonly category: GeCategory };

export interface TermLanding {
  /** When the crawl began, ISO 8601, even if it was resumed. */
  readonly startedAt: string;
  /** The files that were made from the published crawl; undefined without one. */
  readonly published: PublishedAs | undefined;
  /** The memo of a finished unit; undefined while it is unfinished. */
  sealed(unit: Unit): Promise<UnitMemo | undefined>;
  /** The memo of the unit in the published crawl of the same departments. */
  earlier(unit: Unit): Promise<UnitMemo | undefined>;
  /** Finishes a unit with the file of the published crawl. */
  reuse(unit: Unit): Promise<void>;
  sealDepartment(department: string, rows: LandedSection[], above: Heading[], memo: UnitMemo): Promise<void>;
  sealGe(category: GeCategory, memo: UnitMemo): Promise<void>;
  /** Removes sections that another department already has. */
  removeSections(department: string, codes: ReadonlySet<string>, memo: UnitMemo): Promise<void>;
  pathOf(unit: Unit): string;
  /** Keeps the files for the next crawl, which fetches the pages again but need not parse those that are equal. */
  keep(published: PublishedAs): Promise<void>;
  discard(): Promise<void>;
}

/**
 * Opens the landing of a term: the existing one if it belongs to the same crawl and is young enough, else an empty one
 * beside that of the published crawl.
 */
export async function openTermLanding(options: TermLandingOptions): Promise<TermLanding> {
  const {
    root,
    term,
    source,
    departments,
    maxAgeMs,
    now,
    withoutForgotten = (rows) => rows,
    isReused = true,
  } = options;
  const folder = join(root, landingName(term));
  const earlierFolder = `${folder}${PUBLISHED}`;
  const listing = createHash("sha256")
    .update(JSON.stringify(departments.map(({ deptCode, deptName }) => [deptCode, deptName])))
    .digest("hex");
  const { year, quarter } = term;
  const record = { contract: CONTRACT_VERSION, rows: "JSON", source, year, quarter, listing } as const;
  let startedAt = await readStart();
  if (startedAt === undefined) {
    startedAt = now().toISOString();
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await seal(folder, { ...record, startedAt });
  }
  const sealedNames = new Set<string>();
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNSEALED)) await rm(join(folder, name), { force: true });
    else sealedNames.add(name);
  }
  const published = isReused ? (await readRecord(earlierFolder))?.published : undefined;

  /** The record of a crawl of the same departments. */
  async function readRecord(of: string): Promise<CrawlRecord | undefined> {
    const bytes = await readRegularFile(join(of, RECORD)).catch(() => undefined);
    const read = crawlRecord.safeParse(toJson(bytes?.toString())).data;
    return read && Object.entries(record).every(([name, value]) => read[name as keyof CrawlRecord] === value)
      ? read
      : undefined;
  }

  async function readStart(): Promise<string | undefined> {
    const existing = await readRecord(folder);
    const age = existing ? now().getTime() - Date.parse(existing.startedAt) : Infinity;
    return existing && age >= 0 && age < maxAgeMs ? existing.startedAt : undefined;
  }

  /** A damaged file, such as after a power failure, is crawled again. */
  const memoOf = (path: string): Promise<UnitMemo | undefined> =>
    readMemo(path).then(
      (memo) => unitMemo.safeParse(memo).data,
      () => undefined,
    );

  const landing: TermLanding = {
    startedAt,
    published,
    pathOf: (unit) => join(folder, fileName(unit)),
    sealed: async (unit) => (sealedNames.has(`${fileName(unit)}${MEMO}`) ? memoOf(landing.pathOf(unit)) : undefined),
    earlier: async (unit) => (published ? memoOf(join(earlierFolder, fileName(unit))) : undefined),
    reuse: (unit) => moveLandingFile(join(earlierFolder, fileName(unit)), landing.pathOf(unit)),
    async sealDepartment(department, rows, above, memo) {
      const left = withoutForgotten({ above, memo, rows });
      const tables = [
        { table: headings, rows: left.above },
        { table: landedSections, rows: left.rows },
      ];
      await writeLandingFile(landing.pathOf({ department }), tables, left.memo);
    },
    async sealGe(category, memo) {
      const rows = memo.codes.map((sectionCode) => ({ sectionCode, category }));
      await writeLandingFile(landing.pathOf({ category }), [{ table: landedGe, rows }], memo);
    },
    async removeSections(department, codes, memo) {
      const path = landing.pathOf({ department });
      const rows = await readLandingRows(path, landedSections);
      const tables = [
        { table: headings, rows: await readLandingRows(path, headings) },
        { table: landedSections, rows: rows.filter((row) => !codes.has(row.sectionCode)) },
      ];
      await writeLandingFile(path, tables, memo);
    },
    async keep(as) {
      await rm(earlierFolder, { recursive: true, force: true });
      await seal(folder, { ...record, startedAt: landing.startedAt, published: as });
      await rename(folder, earlierFolder);
    },
    async discard() {
      for (const path of [folder, earlierFolder]) await rm(path, { recursive: true, force: true });
    },
  };
  return landing;
}

/** Removes the files of published crawls of other terms, which are not crawled any more. */
export async function removeOtherLandings(root: string, terms: readonly Term[]): Promise<void> {
  const names = new Set(terms.map((term) => `${landingName(term)}${PUBLISHED}`));
  for (const name of await readdir(root).catch(() => []))
    if (name.endsWith(PUBLISHED) && !names.has(name)) await rm(join(root, name), { recursive: true, force: true });
}

const RECORD = "crawl.json";
/** The ending of the folder with the files of the published crawl. */
const PUBLISHED = ".published";

const seal = (folder: string, record: CrawlRecord): Promise<void> =>
  sealFile(join(folder, RECORD), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`));

function toJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

const landingName = ({ year, quarter }: Term): string => `${year}-${quarter}`;
const fileName = (unit: Unit): string =>
  `${"department" in unit ? `department-${toFileName(unit.department)}` : `ge-${toFileName(unit.category)}`}.parquet`;

/** `I&C SCI` → `I_26_C_20_SCI`. The encoding is injective. */
function toFileName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}
