/** What holds between responses, whatever the rows are: each rule is declared once and walked over all endpoints. */
import { expect } from "vitest";
import type { SqlShell } from "../../../pipeline/publish/sql/sql-shell.ts";
import { DIVISIONS, QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { CHANGE_KINDS } from "../../../pipeline/contract/rows/change.ts";
import { endpoints } from "../../../server/endpoints/all.ts";
import { isPaged } from "../../../server/response/paging.ts";
import type { Asked } from "../../support/oracle/oracle.ts";
import { FORMATS } from "../../support/worlds/drawn-requests.ts";
import { addressOf, type OracleWorld } from "../../support/worlds/oracle-world.ts";
import { COMPARISONS, type Explained, sectionsIn } from "../response/explain/same-rows.ts";
import { linksOf } from "../response/paging-world.ts";

type Row = Record<string, unknown>;

export interface Rule {
  readonly name: string;
  /** Parameters that it asks for itself, or that it does not hold with. */
  readonly without: readonly string[];
  readonly appliesTo?: (path: string) => boolean;
  /** @throws where it does not hold for a request that has a response */
  readonly check: (asked: Asked, world: OracleWorld, shell: SqlShell) => Promise<void>;
}

const paramsOf = (path: string) => endpoints.find((one) => one.path === path)?.params ?? {};
const isList = (path: string): boolean => endpoints.some((one) => one.path === path && isPaged(one));
const asking = (asked: Asked, more: Readonly<Record<string, string>>): Asked => {
  const query = new URLSearchParams(asked.query);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return { ...asked, query };
};

async function read(world: OracleWorld, asked: Asked): Promise<{ body: unknown; headers: Headers } | undefined> {
  const response = await world.get(asked);
  if (response.status !== 200) return undefined;
  const body = (await response.json()) as { payload?: unknown };
  return { body: asked.isCompat ? body.payload : body, headers: response.headers };
}
const elementsOf = (path: string, body: unknown): unknown[] =>
  path === "/schedule" ? sectionsIn(body as Row) : Array.isArray(body) ? body : [body];
const texts = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** Values of which every row has one. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  quarter: QUARTERS,
  division: DIVISIONS,
  courseLevel: DIVISIONS,
  kind: CHANGE_KINDS,
  fullCourses: ["SkipFull", "FullOnly"],
};
const partOf = (path: string): string | undefined =>
  Object.keys(PARTS).find((name) => Object.hasOwn(paramsOf(path), name) && !paramsOf(path)[name]?.required);

/** Counts by what the other fields say; an average is no sum. */
function totals(rows: readonly Row[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (name.endsWith("Count")) {
        const key = [row["department"], row["courseNumber"], row["instructor"], name].join();
        sums[key] = (sums[key] ?? 0) + (value as number);
      }
  return sums;
}

const partsSumToWholes: Rule = {
  name: "parts sum to the whole",
  without: [...Object.keys(PARTS), "limit", "offset", "fields", "format", "includeCoCourses", "year"],
  appliesTo: (path) => partOf(path) !== undefined,
  async check(asked, world) {
    const name = partOf(asked.path) as string;
    const whole = await read(world, asked);
    if (!whole) return;
    const parts = await Promise.all((PARTS[name] ?? []).map((value) => read(world, asking(asked, { [name]: value }))));
    const bodies = parts.map((part) => part?.body);
    if (asked.path.includes("aggregate")) {
      const rowsOf = (body: unknown) => [(body as Row)["gradeDistribution"] ?? body].flat() as Row[];
      expect(totals(bodies.flatMap(rowsOf))).toEqual(totals(rowsOf(whole.body)));
    } else if (asked.path === "/grades/options")
      for (const [list, values] of Object.entries(whole.body as Record<string, string[]>))
        expect([...new Set(bodies.flatMap((body) => (body as Record<string, string[]>)[list] ?? []))].sort()).toEqual(
          [...values].sort(),
        );
    else
      expect(texts(bodies.flatMap((body) => elementsOf(asked.path, body)))).toEqual(
        texts(elementsOf(asked.path, whole.body)),
      );
  },
};

const formatsCarryTheSame: Rule = {
  name: "formats carry the same rows",
  without: ["fields", "format"],
  async check(asked, world) {
    const responses = await Promise.all(FORMATS.map((format) => world.get(asking(asked, { format }))));
    expect(new Set(responses.map(({ status }) => status)).size).toBe(1);
    if (responses[0]?.status !== 200) return;
    expect(responses.map(({ headers }) => headers.get("content-type"))).toEqual([
      "application/json; charset=utf-8",
      "text/csv; charset=utf-8; header=present",
      "application/x-ndjson; charset=utf-8",
      "application/vnd.apache.parquet",
    ]);
    const totalsSent = responses.map(({ headers }) => headers.get("x-total-count"));
    expect(new Set(totalsSent).size).toBe(1);
    const [, csv = [], ndjson = [], parquet = []] = await Promise.all(
      responses.map((response, i) => (i === 0 ? [] : world.rowsIn(FORMATS[i] as string, response))),
    );
    world.expectRows("parquet", parquet, ndjson, addressOf(asked));
    world.expectRows("csv", csv, ndjson, addressOf(asked));
  },
};

const pagesConcatenate: Rule = {
  name: "pages concatenate to the whole",
  without: ["limit", "offset", "fields", "format"],
  appliesTo: isList,
  async check(asked, world) {
    const whole = await read(world, asked.path === "/search" ? asking(asked, { limit: "10000" }) : asked);
    if (!whole || (asked.path === "/calendar" && !Array.isArray(whole.body))) return;
    const first = await read(world, asking(asked, { limit: "1" }));
    const limit = String(Math.max(1, Math.ceil(Number(first?.headers.get("x-total-count")) / 3)));
    const pages: unknown[] = [];
    for (let page: Asked | undefined = asking(asked, { limit }); page;) {
      const part = await read(world, page);
      pages.push(...elementsOf(asked.path, part?.body));
      const next = linksOf(part?.headers.get("link") ?? null)["next"];
      page = next === undefined ? undefined : { ...asked, query: new URL(next, "http://x").searchParams };
    }
    expect(pages, addressOf(asked)).toEqual(elementsOf(asked.path, whole.body));
  },
};

const asOfNowIsNow: Rule = {
  name: "as of now is now",
  without: ["asOf", "cache"],
  async check(asked, world) {
    const { history } = world;
    const now = await world.get(asked);
    const text =
      now.status === 200 && !asked.isCompat ? Buffer.from(await now.arrayBuffer()).toString("latin1") : undefined;
    for (const asOf of [history.snapshots.at(-1)?.id ?? "", history.now.toISOString()]) {
      const then = await world.get(asking(asked, { asOf }));
      // Only now the schedule system is asked for what is not published.
      if (now.status !== 502) expect([then.status, addressOf(asked)]).toEqual([now.status, addressOf(asked)]);
      // Files of Parquet and envelopes are written anew.
      if (text !== undefined && asked.query.get("format") !== "parquet")
        expect(Buffer.from(await then.arrayBuffer()).toString("latin1"), addressOf(asked)).toBe(text);
    }
  },
};

const explainedStatement: Rule = {
  name: "the statement of an explanation gives the rows",
  without: ["fields", "format", "asOf", "cache"],
  async check({ isCompat: _mode, ...request }, world, shell) {
    const asked = { ...request, isCompat: false };
    const response = await read(world, asked);
    if (!response) return;
    const explained = (await read(world, asking(asked, { explain: "true" })))?.body as Explained;
    let text = "";
    for await (const part of shell.run(explained.sql, { format: "json" })) text += part;
    const rows = JSON.parse(text) as Row[];
    expect(explained.rows, explained.sql).toBe(rows.length);
    COMPARISONS[asked.path]?.(rows, response.body as never, explained, addressOf(asked));
  },
};

/** Texts whose case does not count. */
const isFree = (path: string, name: string): boolean => {
  const { type, pattern, enum: values } = paramsOf(path)[name]?.schema ?? { type: "string" };
  return (
    type === "string" &&
    pattern === undefined &&
    values === undefined &&
    !["since", "until", "asOf", "room"].includes(name)
  );
};
/** The same question in other words. */
function respelled(asked: Asked): Asked {
  const pairs = [...new Set(asked.query.keys())].flatMap((name): [string, string][] => {
    const values = asked.query.getAll(name);
    const param = paramsOf(asked.path)[name];
    if (!param?.multi)
      return [...values, ...values].map((value) => [name, isFree(asked.path, name) ? swapped(value) : value]);
    const items = values.flatMap((value) => value.split(","));
    const others = param.ordered ? items : items.toReversed();
    return [
      [name, ` ${[...others, ...items].join(" , ")},`],
      [name, items[0] ?? ""],
    ];
  });
  return { ...asked, query: new URLSearchParams(pairs.toReversed()) };
}
/** Blanks count where they are, so that only the case is another one; a sharp s has none. */
const swapped = (value: string): string =>
  [...value]
    .map((letter) =>
      letter === "ß" ? letter : letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )
    .join("");

const spellingIsIrrelevant: Rule = {
  name: "order and spelling of a question are irrelevant",
  without: ["fields", "format"],
  async check(asked, world) {
    const response = await read(world, asked);
    // Two values for one are refused.
    if (!response) return;
    const other = await read(world, respelled(asked));
    expect(other?.body, `${addressOf(asked)} and ${addressOf(respelled(asked))}`).toEqual(response.body);
    const tag = (headers: Headers | undefined) => headers?.get("x-total-count");
    expect(tag(other?.headers)).toBe(tag(response.headers));
  },
};

const linksLeadOn: Rule = {
  name: "the links of a hit lead to what it is",
  without: ["fields", "format", "asOf", "limit", "offset"],
  appliesTo: (path) => path === "/search",
  async check(asked, world) {
    const hits = (await read(world, { ...asked, isCompat: false }))?.body as {
      id: string;
      title: string;
      links: Record<string, string>;
    }[];
    for (const { id, title, links } of (hits ?? []).slice(0, 3))
      for (const [name, link] of Object.entries(links)) {
        const more = link.includes("/schedule") ? "&cacheOnly=true&cancelledCourses=Include" : "";
        const response = await world.getPath(link.replace("/v1/rest", "") + more);
        // A section may be of a course that the catalogue does not have.
        if (name !== "course") expect([link, response.status]).toEqual([link, 200]);
        if (name !== "self" || id.includes("OLD")) continue;
        const body = await response.text();
        // Of a section the code is the last word; a course that the catalogue lacks is where its sections or grades are.
        const isTaught = /\/schedule\?.*courseNumber=|\/grades\//.test(link);
        const word = isTaught ? title.split(" ").at(-1) : id.split(/ (?=\d{5}$)/).at(-1);
        expect(body, link).toContain(JSON.stringify(word));
      }
  },
};

export const RULES = [
  linksLeadOn,
  partsSumToWholes,
  formatsCarryTheSame,
  pagesConcatenate,
  asOfNowIsNow,
  explainedStatement,
  spellingIsIrrelevant,
];
