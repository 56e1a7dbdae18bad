/** Changes as a feed: what a reader of RFC 4287 and 5005 gets. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BASE } from "../../../../server/response/endpoint.ts";
import { readQuery } from "../../../../server/response/query.ts";
import { changeFilters } from "../../../../server/endpoints/changes/change-filters.ts";
import { paramsOf } from "../../../../server/endpoints/filters.ts";
import { toFeed } from "../../../../server/endpoints/changes/atom.ts";
import { SHAPES } from "../../../../server/response/shapes/shapes.ts";

const [example] = SHAPES.Changes.example;
type Feed = Parameters<typeof toFeed>[0];
const FEED: Feed = {
  title: "Changes of the schedule of classes in I&CSCI",
  values: { department: ["I&CSCI"] },
  createdAt: "2026-11-21T07:05:00.000Z",
  url: "/v1/rest/changes?department=I%26CSCI&format=atom",
  address: "https://data.example.edu/data/",
  first: false,
  next: undefined,
};
const batchOf = (...changes: readonly object[]) =>
  changes.map((change) => JSON.stringify({ ...example, ...change })).join(",");

async function read(feed: Partial<Feed>, ...batches: readonly string[]) {
  async function* given() {
    yield* batches;
  }
  let text = "";
  for await (const part of toFeed({ ...FEED, ...feed }, given())) text += part.toString();
  const all = (form: RegExp) => Array.from(text.matchAll(form), ([, found = ""]) => found);
  const [, ...titles] = all(/<title>(.*)<\/title>/g);
  const [id, ...ids] = all(/<id>(.*)<\/id>/g);
  return {
    text,
    titles,
    id,
    ids,
    updated: all(/<updated>(.*)<\/updated>/g),
    links: all(/<link (rel="(?:self|first|next)".*)\/>/g),
  };
}

describe("a feed of changes", () => {
  it("is this document, whose ids never change: readers know entries by them", async () =>
    expect((await read({}, batchOf({ department: "I&C SCI" }))).text).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:46a880ad-03a5-8931-a432-5058084e0c8a</id>
<title>Changes of the schedule of classes in I&#38;CSCI</title>
<updated>2026-11-21T07:00:04.120Z</updated>
<author><name>Academic Data REST Service</name></author>
<link rel="alternate" type="text/html" href="https://data.example.edu/data/departments/I%26CSCI"/>
<link rel="self" type="application/atom+xml" href="https://data.example.edu/data/v1/rest/changes?department=I%26CSCI&#38;format=atom"/>
<entry>
<id>urn:uuid:f060cc0f-ce8c-8115-a03a-1d69365bc26f</id>
<title>2026 Fall 34250 I&#38;C SCI 161: status FULL → OPEN</title>
<updated>2026-11-21T07:00:04.120Z</updated>
<category term="status"/>
<link rel="alternate" type="text/html" href="https://data.example.edu/data/sections/2026/Fall/34250"/>
<link rel="related" type="application/json" href="https://data.example.edu/data/v1/rest/schedule?year=2026&#38;quarter=Fall&#38;sectionCodes=34250&#38;cacheOnly=true"/>
<content type="text">status: status of 2026 Fall 34250 I&#38;C SCI 161, between 2026-11-21T06:00:03.870Z and 2026-11-21T07:00:04.120Z: FULL → OPEN</content>
</entry>
</feed>
`));

  it("has the newest change first, though in each batch the oldest is, and is as new as that", async () => {
    const at = (minute: number) => ({ at: `2026-11-21T07:0${minute}:00.000Z` });
    const { updated, text } = await read({}, batchOf(at(3), at(4)), batchOf(at(1), at(2)));
    expect(updated.map((time) => time.slice(15, 16)).join("")).toBe("44321");
    expect([text.match(/<\/?feed/g)?.length, text.match(/<\/entry>\n<entry>/g)?.length]).toEqual([2, 3]);
  });

  it("without changes is as new as the snapshot", async () => {
    const { text, updated } = await read({});
    expect([updated, text.includes("<entry>"), text.endsWith("</feed>\n")]).toEqual([[FEED.createdAt], false, true]);
  });

  it("links to itself, from a later page to the first one, and to the next one where there is one", async () => {
    const hrefs = async (feed: Partial<Feed>) =>
      (await read({ url: "/v1/rest/changes?limit=2&offset=4", ...feed })).links.map((link) =>
        link
          .replace(
            /^rel="(\w+)" type="application\/atom\+xml" href="https:\/\/data\.example\.edu\/data\/v1\/rest\/changes\?(.*)"$/,
            "$1 $2",
          )
          .replace(/&#38;/g, "&"),
      );
    const self = "self limit=2&offset=4";
    expect(await hrefs({ first: true, next: 6 })).toEqual([self, "first limit=2", "next limit=2&offset=6"]);
    expect(await hrefs({ first: true })).toEqual([self, "first limit=2"]);
    expect(await hrefs({ next: 2 })).toEqual([self, "next limit=2&offset=2"]);
  });

  it("has absolute links only, whatever the installation's address, the filters and the page", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("http://localhost:3000/", "https://data.example.edu/", "https://[2001:db8::1]:8443/a/b/"),
        fc.record({
          year: fc.option(fc.constant("2026")),
          quarter: fc.option(fc.constant("Fall")),
          sectionCodes: fc.option(fc.constantFrom("05000", "34250,34251", "34250-34299")),
          department: fc.option(fc.constantFrom("I&C SCI", "DANCE,MATH")),
          courseNumber: fc.option(fc.constantFrom("H32", "161", "100-199", "1,2")),
        }),
        fc.constantFrom("status", "added", "removed"),
        async (address, asked, kind) => {
          const given = Object.entries(asked).flatMap(([name, value]) =>
            value === null ? [] : [[name, value] as [string, string]],
          );
          const sent = new URLSearchParams(given);
          const { values } = readQuery(sent, paramsOf(changeFilters));
          const url = `${BASE}/changes?${sent}`;
          const { text } = await read({ address, values, url, first: true, next: 5 }, batchOf({ kind }));
          const links = Array.from(text.matchAll(/<link rel="(\w+)" type="([^"]+)" href="([^"]+)"\/>/g), (link) =>
            link.slice(1, 4).map((part) => part.replaceAll("&#38;", "&")),
          );
          expect(links).toHaveLength(text.match(/<link/g)?.length ?? 0);
          expect(links.map(([rel, type, href = ""]) => [rel, type, href.startsWith(address)])).toEqual([
            ["alternate", "text/html", true],
            ...["self", "first", "next"].map((rel) => [rel, "application/atom+xml", true]),
            ["alternate", "text/html", true],
            ["related", "application/json", true],
          ]);
          const pages = links.filter(([, type]) => type === "text/html").map(([, , href = ""]) => href);
          const isSection = asked.year && asked.quarter && asked.sectionCodes === "05000";
          const isDepartment = asked.department === "I&C SCI";
          const isCourse = isDepartment && /^\w+$/.test(asked.courseNumber ?? "");
          const subject = isSection
            ? "sections/2026/Fall/05000"
            : isCourse
              ? `courses/I%26CSCI${asked.courseNumber}`
              : isDepartment
                ? "departments/I%26CSCI"
                : "";
          const section = kind === "removed" ? "courses/COMPSCI161" : "sections/2026/Fall/34250";
          expect(pages).toEqual([address + subject, address + section]);
        },
      ),
    ));

  it("is another one with other filters, whatever the page and the order of values", async () => {
    const idOf = async (feed: Partial<Feed>) => (await read(feed)).id;
    const id = await idOf({ values: { kind: ["status", "added"] } });
    expect(await idOf({ values: { kind: ["added", "status"] }, url: "/v1/rest/changes?offset=1", first: true })).toBe(
      id,
    );
    expect(await idOf({ values: { kind: ["added"] } })).not.toBe(id);
  });
});

describe("an entry", () => {
  it.each([
    { about: { kind: "added", field: "section", before: null, after: "{}" }, titled: "added" },
    { about: { kind: "removed", field: "section", before: "{}", after: null }, titled: "removed" },
    { about: { field: "units", kind: "other", before: null, after: "4" }, titled: "units none → 4" },
    { about: { before: "", after: "<b>" }, titled: "status  → &#60;b&#62;" },
    // XML 1.0 has no such characters, whatever a comment holds.
    {
      about: { before: "\u0000\u0008\u000b\u001f\uffff", after: "\t😀" },
      titled: "status \ufffd\ufffd\ufffd\ufffd\ufffd → \t😀",
    },
    {
      about: { before: "a".repeat(500), after: "b".repeat(501) },
      titled: `status ${"a".repeat(500)} → ${"b".repeat(500)}…`,
    },
  ])("is called $titled", async ({ about, titled }) => {
    const { titles } = await read({}, batchOf(about));
    expect(titles).toEqual([`2026 Fall 34250 COMPSCI 161: ${titled}`]);
  });

  it("is told from every other one by time, term, section and field", async () => {
    const others = [
      { at: "2026-11-21T07:00:04.121Z" },
      { year: "2025" },
      { quarter: "Spring" },
      { sectionCode: "34251" },
      { field: "units" },
    ];
    const { ids } = await read({}, batchOf({}, ...others, { before: "Waitl", snapshot: "another", since: "before" }));
    expect(new Set(ids).size).toBe(1 + others.length);
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
