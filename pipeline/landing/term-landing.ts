/**
 * The landing files of a term's crawl: sections and headings of each department, and the codes of each GE category.
 * They are the crawl's checkpoint, so a killed crawl can be resumed, and the input of publishing.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Department } from "../contract/rows/listing.ts";
import { headings, landedGe, landedSections, type Heading, type LandedSection } from "../contract/rows/section.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { QUARTERS, type GeCategory, type Term } from "../contract/vocabulary.ts";
import { readRegularFile } from "../regular-files.ts";
import { readLandingRows, readMemo, sealFile, UNSEALED, writeLandingFile } from "./landing-file.ts";
import { unitMemo, type UnitMemo } from "./unit-memo.ts";

/** `crawl.json`: identifies the crawl that the folder belongs to. */
const crawlRecord = z.object({
  contract: z.int(),
  source: z.string(),
  year: z.string(),
  quarter: z.enum(QUARTERS),
  /** A hash of the departments of the search form. */
  listing: z.string(),
  startedAt: z.iso.datetime(),
});

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
}

export interface TermLanding {
  /** When the crawl began, ISO 8601, even if it was resumed. */
  readonly startedAt: string;
  /** The memo of a finished department or category; undefined while it is unfinished. */
  sealedDepartment(code: string): Promise<UnitMemo | undefined>;
  sealedGe(category: GeCategory): Promise<UnitMemo | undefined>;
  sealDepartment(code: string, rows: LandedSection[], above: Heading[], memo: UnitMemo): Promise<void>;
  sealGe(category: GeCategory, memo: UnitMemo): Promise<void>;
  /** Removes sections that another department already has. */
  removeSections(code: string, codes: ReadonlySet<string>, memo: UnitMemo): Promise<void>;
  sectionsPath(code: string): string;
  headingsPath(code: string): string;
  gePath(category: GeCategory): string;
  discard(): Promise<void>;
}

/**
 * Opens the landing of a term: the existing one if it belongs to the same crawl and is young enough, else an empty one.
 */
export async function openTermLanding(options: TermLandingOptions): Promise<TermLanding> {
  const { root, term, source, departments, maxAgeMs, now, withoutForgotten = (rows) => rows } = options;
  const folder = join(root, landingName(term));
  const listing = createHash("sha256")
    .update(JSON.stringify(departments.map(({ deptCode, deptName }) => [deptCode, deptName])))
    .digest("hex");
  let startedAt = await readStart();
  if (startedAt === undefined) {
    startedAt = now().toISOString();
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const record = { contract: CONTRACT_VERSION, source, ...term, listing, startedAt };
    await sealFile(join(folder, "crawl.json"), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`));
    await syncFolder(folder);
  }
  const sealed = new Set<string>();
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNSEALED)) await rm(join(folder, name), { force: true });
    else sealed.add(name);
  }

  async function readStart(): Promise<string | undefined> {
    const bytes = await readRegularFile(join(folder, "crawl.json")).catch(() => undefined);
    const text = bytes?.toString();
    const record = crawlRecord.safeParse(toJson(text)).data;
    const same =
      record?.contract === CONTRACT_VERSION &&
      record.source === source &&
      record.year === term.year &&
      record.quarter === term.quarter &&
      record.listing === listing;
    const age = record ? now().getTime() - Date.parse(record.startedAt) : Infinity;
    return record && same && age >= 0 && age < maxAgeMs ? record.startedAt : undefined;
  }

  /** A damaged file, such as after a power failure, is crawled again. */
  async function memoOf(name: string): Promise<UnitMemo | undefined> {
    if (!sealed.has(name)) return undefined;
    return readMemo(join(folder, name)).then(
      (memo) => unitMemo.safeParse(memo).data,
      () => undefined,
    );
  }

  const landing: TermLanding = {
    startedAt,
    sectionsPath: (code) => join(folder, sectionsName(code)),
    headingsPath: (code) => join(folder, headingsName(code)),
    gePath: (category) => join(folder, geName(category)),
    sealedDepartment: async (code) => (sealed.has(headingsName(code)) ? memoOf(sectionsName(code)) : undefined),
    sealedGe: (category) => memoOf(geName(category)),
    async sealDepartment(code, rows, above, memo) {
      // The sections mark the department as finished: they are written last.
      const left = withoutForgotten({ above, memo, rows });
      await writeLandingFile(landing.headingsPath(code), headings, left.above);
      await writeLandingFile(landing.sectionsPath(code), landedSections, left.rows, left.memo);
    },
    async sealGe(category, memo) {
      const rows = memo.codes.map((sectionCode) => ({ sectionCode, category }));
      await writeLandingFile(landing.gePath(category), landedGe, rows, memo);
    },
    async removeSections(code, codes, memo) {
      const path = landing.sectionsPath(code);
      const rows = (await readLandingRows(path)) as LandedSection[];
      await writeLandingFile(
        path,
        landedSections,
        rows.filter((row) => !codes.has(row.sectionCode)),
        memo,
      );
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
  return landing;
}

function toJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

const landingName = ({ year, quarter }: Term): string => `${year}-${quarter}`;
const sectionsName = (code: string) => `department-${toFileName(code)}.sections.parquet`;
const headingsName = (code: string) => `department-${toFileName(code)}.headings.parquet`;
const geName = (category: GeCategory) => `ge-${toFileName(category)}.parquet`;

/** `I&C SCI` → `I_26_C_20_SCI`. The encoding is injective. */
function toFileName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
