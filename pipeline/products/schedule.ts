/**
 * The schedule: the lists of the search form, then every term in scope.
 * **Output:** departments, terms; sections and headings of each term.
 */
import { crawlTerm, type CrawledTerm } from "../crawl-term.ts";
import { departments, terms } from "../contract/listing.ts";
import { headings, landedGe, landedSections, sections } from "../contract/section.ts";
import { compareTerms, FIRST_TERM, QUARTER_LONG_NAMES, type Term, termName } from "../contract/vocabulary.ts";
import { GuardError, UpstreamBadAnswer, UpstreamError } from "../errors.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import type { Tally } from "../report.ts";
import { readListing } from "../schedule-readers.ts";
import { askListings } from "../sources/listings.ts";
import { DAY_MS, type ProductStep, type RunContext } from "./context.ts";
import { guardDepartments, guardShrink } from "./guard.ts";
import { relation } from "./relation.ts";
import { isOver } from "./term-scope.ts";

/** How long an unfinished crawl may be gone on with: a term that is over changes no more, a current one by the hour. */
const OVER_MAX_AGE_MS = 7 * DAY_MS;
const CURRENT_MAX_AGE_MS = 3_600_000;

/** Every column as it stands, but lists that a landing file cannot tell from null, and the GE categories learnt apart. */
const SECTIONS_SELECT = (landed: string, ge: string) => `
  SELECT s.* EXCLUDE (meetings, finalExam),
    list_transform(s.meetings, m -> {
      'timeIsTBA': m.timeIsTBA, 'bldg': m.bldg,
      'days': CASE WHEN m.timeIsTBA THEN NULL ELSE m.days END,
      'startTime': CASE WHEN m.timeIsTBA THEN NULL ELSE m.startTime END,
      'endTime': CASE WHEN m.timeIsTBA THEN NULL ELSE m.endTime END }) AS meetings,
    CASE WHEN s.finalExam.examStatus = 'SCHEDULED_FINAL' THEN s.finalExam
      ELSE {'examStatus': s.finalExam.examStatus, 'dayOfWeek': NULL, 'month': NULL, 'day': NULL, 'startTime': NULL, 'endTime': NULL, 'bldg': NULL} END AS finalExam,
    coalesce(g.categories, []) AS geCategories
  FROM ${landed} s
  LEFT JOIN (SELECT sectionCode, list(category ORDER BY category) AS categories FROM ${ge} GROUP BY sectionCode) g USING (sectionCode)`;

/** A department may come in the answers of several: one heading, the one that says most. */
const HEADINGS_SELECT = (landed: string) => `
  SELECT year, quarter, schoolName, max(schoolComment) AS schoolComment, deptCode,
    arg_max(deptName, length(deptName)) AS deptName, max(deptComment) AS deptComment,
    arg_max(sectionCodeRangeComments, len(sectionCodeRangeComments)) AS sectionCodeRangeComments,
    arg_max(courseNumberRangeComments, len(courseNumberRangeComments)) AS courseNumberRangeComments
  FROM ${landed} GROUP BY year, quarter, schoolName, deptCode`;

export const scheduleStep: ProductStep = {
  product: "schedule",
  plan: ({ addresses }) => addresses.schedule !== undefined,
  async run(context, tally) {
    const { addresses, client, log, progress } = context;
    const url = addresses.schedule as URL;
    const listing = await askListings(client("schedule"), url, readListing);
    const offered = listing.terms.filter((term) => compareTerms(term, FIRST_TERM) >= 0).sort(compareTerms);
    if (offered.length === 0 || listing.departments.length === 0)
      throw new UpstreamBadAnswer("schedule", "the form offers no term or no department");
    await putListings(context, listing);

    for (const term of context.config.terms ?? []) {
      if (!offered.some((one) => compareTerms(one, term) === 0))
        tally.note("a term of TERMS that the form does not offer", termName(term));
    }
    const scope = offered.filter((term) => isInScope(context, term));
    const failed: string[] = [];
    let accepting: Promise<void> = Promise.resolve();
    for (const term of scope) {
      try {
        const crawled = await crawlOne(context, term, listing.departments, tally, progress);
        // The next term is crawled while this one is written.
        await accepting;
        accepting = accept(context, crawled).catch(
          (error: unknown) => void failed.push(failure(term, error, tally, log)),
        );
      } catch (error) {
        failed.push(failure(term, error, tally, log));
        if (!(error instanceof UpstreamError)) break;
      }
    }
    await accepting;
    progress.stop();
    if (failed.length > 0) throw new TermsFailed(failed);
  },
};

/** Some terms failed; the others are published all the same. */
export class TermsFailed extends Error {
  override name = "TermsFailed";
  constructor(readonly failed: readonly string[]) {
    super(failed.slice(0, 20).join("; ") + (failed.length > 20 ? `; and ${failed.length - 20} more terms` : ""));
  }
}

function failure(term: Term, error: unknown, tally: Tally, log: RunContext["log"]): string {
  if (!(error instanceof UpstreamError) && !(error instanceof GuardError))
    log.error("a term failed", { term: termName(term), cause: String(error) });
  const words = `${termName(term)}: ${error instanceof Error ? error.message : String(error)}`;
  tally.damage(words);
  return words;
}

function isInScope(context: RunContext, term: Term): boolean {
  const { config, mode, calendar, today } = context;
  if (config.terms && !config.terms.some((wanted) => compareTerms(wanted, term) === 0)) return false;
  return mode === "build" || !isOver(term, calendar, today);
}

function crawlOne(
  context: RunContext,
  term: Term,
  listed: Parameters<typeof crawlTerm>[0]["departments"],
  tally: Tally,
  progress: RunContext["progress"],
): Promise<CrawledTerm> {
  const { addresses, calendar, client, landingFolder, log, now, sourceName, staging, today } = context;
  const published = staging.base?.manifest.files.find(
    (file) => file.table === "sections" && isTerm(file.partition, term),
  );
  let started = false;
  return crawlTerm({
    client: client("schedule"),
    url: addresses.schedule as URL,
    term,
    departments: listed,
    landingRoot: `${landingFolder}/schedule`,
    source: sourceName("schedule"),
    maxAgeMs: isOver(term, calendar, today) ? OVER_MAX_AGE_MS : CURRENT_MAX_AGE_MS,
    now,
    tally,
    log,
    allowEmpty: (published?.rows ?? 0) === 0,
    onUnit(done, all) {
      if (!started) progress.start(`schedule ${termName(term)}`, all);
      started = true;
      progress.at(done);
    },
  });
}

const isTerm = (
  partition: { year?: string | undefined; quarter?: string | undefined },
  { year, quarter }: Term,
): boolean => partition.year === year && partition.quarter === quarter;

/** Writes, audits and stages a crawled term. @throws GuardError when it must not replace what is published */
async function accept(context: RunContext, crawled: CrawledTerm): Promise<void> {
  const { database, staging } = context;
  const { term } = crawled;
  const partition = { year: term.year, quarter: term.quarter };
  const landed = relation(landedSections, crawled.sectionsPaths);
  const select = SECTIONS_SELECT(landed, relation(landedGe, crawled.gePaths));
  const file = await writePartition(database.connection, staging, {
    table: sections,
    partition,
    select,
    allowEmpty: true,
  });
  const old = staging.find("sections", partition);
  if (old) {
    guardShrink(`${termName(term)}, in sections,`, old.rows, file.rows, context);
    const oldPaths = staging.paths("sections").filter((path) => path.endsWith(old.path));
    guardDepartments(
      termName(term),
      await countDepartments(context, relation(sections, oldPaths)),
      await countDepartments(context, landed),
      context,
    );
  }
  const above = HEADINGS_SELECT(relation(headings, crawled.headingsPaths));
  staging.put(
    await writePartition(database.connection, staging, { table: headings, partition, select: above, allowEmpty: true }),
  );
  staging.put(file);
  context.crawled.push({ term, startedAt: crawled.startedAt });
  context.afterPublish.push(crawled.discard);
}

async function countDepartments({ database }: RunContext, from: string): Promise<Map<string, number>> {
  const reader = await database.connection.runAndReadAll(
    `SELECT deptCode, count(*)::INTEGER FROM ${from} GROUP BY deptCode`,
  );
  const [codes = [], counts = []] = reader.getColumnsJS();
  return new Map((codes as string[]).map((code, i) => [code, counts[i] as number]));
}

async function putListings(
  { database, staging }: RunContext,
  listing: { departments: readonly { deptCode: string; deptName: string }[]; terms: readonly Term[] },
): Promise<void> {
  const { connection } = database;
  await loadRows(connection, departments, listing.departments);
  staging.put(
    await writePartition(connection, staging, {
      table: departments,
      partition: {},
      select: "SELECT * FROM rows_departments",
    }),
  );
  const offered = listing.terms.map(({ year, quarter }) => ({
    year,
    quarter,
    longName: `${year} ${QUARTER_LONG_NAMES[quarter]}`,
  }));
  await loadRows(connection, terms, offered);
  staging.put(
    await writePartition(connection, staging, { table: terms, partition: {}, select: "SELECT * FROM rows_terms" }),
  );
}
