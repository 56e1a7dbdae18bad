import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { SchedulePage } from "../../../pipeline/contract/schedule-page.ts";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { syncReaders } from "../../../pipeline/crawl/schedule-readers.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { searchSchedule, type CodeRange, halve } from "../../../pipeline/sources/schedule.ts";

const term = { year: "2024", quarter: "Fall" } as const;
const client = createClient("schedule", {
  concurrency: 2,
  pauseMs: 0,
  timeoutMs: 2_000,
  retries: 2,
  backoffMs: 1,
  backoffCapMs: 2,
});

const xml = (codes: number[], { head = "<term/>", tail = "<restriction_codes/>" } = {}) =>
  `<websoc_results>${head}<course_list><school school_name="S"><department dept_code="D" dept_name="D"><course course_number="1" course_title="T">${codes
    .map((code) => `<section><course_code>${code}</course_code></section>`)
    .join("")}</course></department></school></course_list>${tail}</websoc_results>`;
const NOTHING_XML = "<websoc_results><term/><restriction_codes/></websoc_results>";
const web = (codes: number[]) => `<html>${codes.map((code) => `<tr><td>${code}</td></tr>`).join("")}</html>`;
const NOTHING = "<html>No courses matched your search</html>";
const TOO_MANY = "<html>more than 900</html>";

const codesOf = (pages: unknown) =>
  (pages as SchedulePage[]).flatMap(({ schools }) =>
    schools.flatMap(({ departments }) =>
      departments.flatMap(({ courses }) => courses.flatMap(({ sections }) => sections.map(({ code }) => Number(code)))),
    ),
  );

describe("searchSchedule", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Asks a system that answers by its own rules; `asked` lists the questions as `X` or `W` and their codes. */
  const ask = async (answer: (isXml: boolean, codes: string, nth: number) => string, codes?: CodeRange[]) => {
    const asked: string[] = [];
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => (body += String(piece)));
      request.on("end", () => {
        const form = new URLSearchParams(body);
        const isXml = form.get("Submit") === "Display XML Results";
        asked.push(`${isXml ? "X" : "W"}${form.get("CourseCodes")}`);
        response.end(answer(isXml, form.get("CourseCodes") ?? "", asked.length));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const pages = searchSchedule(client, url, { term, department: "D", ...(codes ? { codes } : {}) }, syncReaders);
    return { pages: await pages.catch((error: unknown) => error), asked };
  };

  it("takes a whole answer with sections at its word", async () => {
    const { pages, asked } = await ask(() => xml([10_001]));
    expect(codesOf(pages)).toEqual([10_001]);
    expect(asked).toEqual(["X"]);
  });

  it("believes that nothing matches when the page for people says so too", async () => {
    const { pages, asked } = await ask((isXml) => (isXml ? NOTHING_XML : NOTHING));
    expect(pages).toEqual([]);
    expect(asked).toEqual(["X", "W"]);
  });

  it("repeats the request when the two contradict each other, and takes the answer that agrees", async () => {
    const { pages, asked } = await ask((isXml, _, nth) =>
      isXml ? (nth > 1 ? xml([10_001]) : NOTHING_XML) : web([10_001]),
    );
    expect(codesOf(pages)).toEqual([10_001]);
    expect(asked).toEqual(["X", "W", "X"]);
  });

  it.each([
    ["an empty answer where there are sections", NOTHING_XML, web([10_001])],
    ["an answer without its head that lacks a section", xml([10_001], { head: "" }), web([10_001, 10_002])],
    ["an answer without its tail where nothing should be", xml([10_001], { tail: "" }), NOTHING],
    ["an empty answer and an error page", NOTHING_XML, "<html>The connection to database is down.</html>"],
  ])("fails on %s, when it stays", async (_, page, people) => {
    const { pages, asked } = await ask((isXml) => (isXml ? page : people));
    expect(pages).toBeInstanceOf(UpstreamBadResponse);
    expect(asked.length).toBeGreaterThanOrEqual(4);
  });

  it("takes an answer without its head that has every section of the page for people", async () => {
    const { pages } = await ask((isXml) => (isXml ? xml([10_001], { head: "" }) : web([10_001])));
    expect(codesOf(pages)).toEqual([10_001]);
  });

  it("takes exactly as many sections as the limit allows, when the page for people has no more", async () => {
    const codes = Array.from({ length: 900 }, (_, i) => 10_000 + i);
    const { pages, asked } = await ask((isXml) => (isXml ? xml(codes) : web(codes)));
    expect(codesOf(pages)).toEqual(codes);
    expect(asked).toEqual(["X", "W"]);
  });

  it("splits by code over the limit: every section once, no code from 98000 on requested", async () => {
    const all = Array.from({ length: 2_500 }, (_, i) => 20_000 + i * 7);
    const { pages, asked } = await ask((isXml, codes) => {
      const [low = 0, high = low] = codes === "" ? [0, 99_999] : codes.split("-").map(Number);
      const matching = all.filter((code) => code >= low && code <= high);
      if (matching.length > 900) return isXml ? NOTHING_XML : TOO_MANY;
      if (matching.length === 0) return isXml ? NOTHING_XML : NOTHING;
      return isXml ? xml(matching) : web(matching);
    });
    expect(codesOf(pages).sort()).toEqual(all);
    expect(asked.filter((question) => /9[89]\d{3}/.test(question))).toEqual([]);
  });

  it("gives up on more than the limit with one code", async () => {
    const { pages } = await ask((isXml) => (isXml ? NOTHING_XML : TOO_MANY), [{ low: 5, high: 5 }]);
    expect(pages).toBeInstanceOf(UpstreamBadResponse);
  });
});

describe("halve", () => {
  it("cuts without a gap and without an overlap", () => {
    expect(halve([{ low: 1, high: 4 }])).toEqual([[{ low: 1, high: 2 }], [{ low: 3, high: 4 }]]);
    expect(
      halve([
        { low: 1, high: 1 },
        { low: 5, high: 5 },
        { low: 9, high: 12 },
      ]),
    ).toEqual([
      [
        { low: 1, high: 1 },
        { low: 5, high: 5 },
      ],
      [{ low: 9, high: 12 }],
    ]);
    expect(halve([{ low: 7, high: 7 }])).toBeUndefined();
  });
});
