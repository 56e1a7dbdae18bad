/**
 * Serves the site: files that `make setup` built (.setup/compile.mjs), and one page for every view. The site is a
 * client of the API; the server adds title and description, so that a link in a chat says where it leads.
 */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { IMMUTABLE } from "../response/headers.ts";
import { nothingServed, Problem, shown } from "../response/problem.ts";
import { escapeMarkup } from "../response/escape-markup.ts";
import type { CurrentTerm } from "../pages/current-term.ts";
import { HTML, wantsHtml, type Page, type PageRequest, PAGE_SECURITY } from "../pages/page.ts";
import { forPrograms, oncePerSnapshot, sendJson, serveStatic } from "../pages/content.ts";
import { FIRST_STATEMENT, type FirstResult } from "./app/sql/first-statement.ts";
import { firstToFill, type Filled, RECORDED_FIELDS, type RecordedStatus } from "./app/home/first-to-fill.ts";
import { termQuery } from "./app/data/term-names.ts";
import { type AskApi, coursesIn, createAsk, type ScheduleTree, titleOf } from "./titles.ts";

const ASSETS = "/assets/";
/** It works for all addresses below its own. */
const SERVICE_WORKER = "service-worker.js";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Names with a content hash never change their content. */
const cacheControlOf = (name: string): string => (/-[A-Z0-9]{8}\b/i.test(name) ? IMMUTABLE : "no-cache");

interface SiteOptions {
  /** The path prefix of this installation, `/` or such as `/academic/`. */
  readonly base: string;
  /** The response of the plain service to a GET. */
  readonly request: (path: string) => Promise<Response>;
  /** Returns the terms with a schedule, such as `2026 Fall`, newest first. */
  readonly terms: () => readonly string[];
  readonly currentTerm: CurrentTerm;
  readonly snapshotId: () => string | undefined;
  /** Runs a statement on a snapshot. @throws Problem (503) */
  readonly runStatement: (snapshot: string, statement: string) => Promise<readonly object[]>;
}

export async function createSite(options: SiteOptions) {
  const { base, request, terms, snapshotId, currentTerm, runStatement } = options;
  const ask = createAsk(request);
  const folder = findFolder();
  const withHeading = await readFile(join(folder, "index.html"), "utf8");
  const withoutHeading = withHeading.replace(/^.*<h1.*\n/m, "");
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  // Requested paths are looked up here and never used as file paths.
  const files = new Map(names.map((name) => [name, assetPage(join(folder, name), name)]));

  /** The page of the request's address, also where nothing is: then its status is 404. */
  const page: Page = async (request) => {
    const { pathname, searchParams } = request.event.url;
    const published = terms();
    const chosen = published.filter((term) => term === searchParams.get("term"));
    const current = (await currentTerm()) ?? [];
    const { status, ...named } = await titleOf(pathname, ask, [...new Set([...chosen, current, ...published].flat())]);
    const values: Readonly<Record<string, string>> = { base, ...named, canonical: base + pathname.slice(1) };
    const template = named.heading === undefined ? withoutHeading : withHeading;
    const html = template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => escapeMarkup(values[name] ?? ""));
    const headers = { ...PAGE_SECURITY, Vary: "Accept-Encoding, Accept" };
    return serveStatic({ bytes: Buffer.from(html), type: HTML, cacheControl: "no-cache", headers, status })(request);
  };

  /** The result of the first example of `/sql`, so that readers see it before their browser has a database. */
  const firstResultOf = oncePerSnapshot(async (snapshot, statement): Promise<FirstResult> => {
    const rows = await runStatement(snapshot, statement);
    const columns = Object.keys(rows[0] ?? {});
    return { snapshot, statement, columns, rows: rows.map((row) => Object.values(row) as unknown[]) };
  });
  function servedId(): string {
    const id = snapshotId();
    if (id === undefined) throw nothingServed(undefined);
    return id;
  }
  const firstToFillOf = oncePerSnapshot((_snapshot, term) => readFirstToFill(term, ask));
  /** Serves `/first-to-fill?term=2026 Fall`. */
  const firstToFillPage: Page = async (request) => {
    const term = request.event.url.searchParams.get("term") ?? "";
    const id = servedId();
    if (!terms().includes(term)) throw new Problem(404, `There is no schedule of ${shown(term)}.`);
    return sendJson(request, id, await firstToFillOf(id, term));
  };

  const file: Page = (request) => {
    const { pathname } = request.event.url;
    const asset = files.get(pathname.slice(ASSETS.length));
    if (!asset) throw new Problem(404, `There is no file ${shown(pathname)}.`);
    return asset(request);
  };
  return {
    page,
    pages: {
      ...Object.fromEntries(VIEWS.map((path) => [path, page])),
      // In place of the view alone.
      "/sql": forPrograms(async () => firstResultOf(servedId(), FIRST_STATEMENT), page, PAGE_SECURITY),
      "/first-to-fill": firstToFillPage,
      [`${ASSETS}**`]: file,
      [`/${SERVICE_WORKER}`]: assetPage(join(folder, SERVICE_WORKER), SERVICE_WORKER),
    },
    /** 404, as a page for people; undefined for programs. */
    notFound: (request: PageRequest) => (wantsHtml(request) ? page(request) : undefined),
  };
}

const MAX_COURSES = 5;

/**
 * The courses of a term that filled first, for the home view. The server reads them from the recorded history, because
 * a term of a large campus has thousands of records.
 */
async function readFirstToFill(term: string, ask: AskApi): Promise<readonly Filled[]> {
  const query = termQuery(term);
  const [records, schedule] = await Promise.all([
    ask(`/enrollmentHistory?${new URLSearchParams({ ...query, fields: RECORDED_FIELDS })}`),
    ask(`/schedule?${new URLSearchParams({ ...query, cacheOnly: "true", fields: "courses.deptCode,courseNumber" })}`),
  ]);
  const courses = coursesIn(schedule as ScheduleTree | undefined);
  const held = new Set(courses.map(({ deptCode, courseNumber }) => `${deptCode} ${courseNumber}`));
  return firstToFill((records ?? []) as readonly RecordedStatus[], held).slice(0, MAX_COURSES);
}

/** The views of `app/site.tsx`; `/`, `/sql` and `/status` are JSON too. */
const VIEWS = [
  ...["find", "plan", "sql", "data", "docs"].flatMap((view) => [`/${view}`, `/${view}/`]),
  ...["courses", "instructors", "departments", "sections"].map((view) => `/${view}/**`),
];

/** Workers and documents have a policy of their own; the policy of a page covers its scripts and styles. */
const needsPolicy = (name: string): boolean => name.includes("worker") || ![".js", ".css"].includes(extname(name));

const assetPage = (path: string, name: string): Page =>
  serveStatic({
    bytes: () => readFile(path),
    // A name without a hash is read for its own.
    ...(cacheControlOf(name) === IMMUTABLE ? { version: name } : {}),
    type: TYPES[extname(name)] ?? "application/octet-stream",
    cacheControl: cacheControlOf(name),
    headers: needsPolicy(name) ? PAGE_SECURITY : {},
  });

/** @throws Error when nothing is compiled */
function findFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("#browser/index.html"));
  } catch {
    throw new Error("the code for browsers is not compiled: call `make setup`");
  }
}
