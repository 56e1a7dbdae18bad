/** Compression and entity tags of server/RULES.md, HTTP: "br, zstd where Node has it, gzip; by Accept-Encoding, over 1 KB". */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSurface } from "./surface-server.ts";
import { ask, hasZstd } from "./wire.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => void (surface = await openSurface()));
afterAll(() => surface?.close());

const get = (path: string, encoding?: string, more: Record<string, string> = {}, method = "GET") =>
  ask(`${surface.base}${path}`, {
    method,
    headers: { ...(encoding === undefined ? {} : { "accept-encoding": encoding }), ...more },
  });

/** A few kB, and about 3 MB. */
const SMALL = "/courses/DANCE10";
const MIDDLE = "/schedule?year=2024&quarter=Fall&cacheOnly=true";
const LARGE = "/grades/raw";

const next = hasZstd ? "zstd" : "gzip";

describe("which encoding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["br", "br"],
    ["gzip", "gzip"],
    ["GZip", "gzip"],
    ["zstd", hasZstd ? "zstd" : undefined],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, zstd", next],
    ["deflate", undefined],
    ["deflate, gzip;q=0.1", "gzip"],
    ["gzip;q=1.0, br;q=0.9", "gzip"],
    ["br;q=0.2 , gzip; q=0.8, *;q=0.1", "gzip"],
    ["*", "br"],
    ["br;q=0, *", next],
    ["br;q=0, zstd;q=0, gzip;q=0", undefined],
    ["br;q=0, zstd;q=0, gzip;q=0, *", undefined],
    ["*;q=0", undefined],
    ["*;q=0, gzip;q=0.5", "gzip"],
    ["identity;q=0", undefined],
    ["identity;q=0, gzip", "gzip"],
    ["identity;q=0, *;q=0.5", "br"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=nonsense", undefined],
    [";;;, ,q=1", undefined],
    ["x".repeat(4000), undefined],
  ])("Accept-Encoding: %s gives %s", async (accepted, expected) => {
    for (const path of [MIDDLE, LARGE]) {
      const [plain, packed] = [await get(path), await get(path, accepted)];
      expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, expected]);
      expect(packed.text).toBe(plain.text);
      expect(packed.headers["vary"]).toBe("Accept-Encoding, Accept, Prefer");
      if (expected !== undefined) expect(packed.raw.length).toBeLessThan(plain.raw.length / 5);
    }
    // "over 1 KB": less is not worth it.
    const small = await get(SMALL, accepted);
    expect(small.raw.length).toBeLessThan(1024);
    expect(small.headers["content-encoding"]).toBeUndefined();
    expect(() => small.json()).not.toThrow();
  });
});

describe("a large answer", () => {
  it.each(["br", "gzip", ...(hasZstd ? ["zstd"] : []), undefined])(
    "is whole with %s, also when it was made before",
    async (encoding) => {
      const query = `${LARGE}?year=2024&excludePNP=${encoding === "br" ? "true" : "false"}`;
      const first = await get(query, encoding);
      expect(Number(first.headers["content-length"])).toBe(first.raw.length);
      expect(first.json<unknown[]>()).toHaveLength(8000);
      const [again, head] = [await get(query, encoding), await get(query, encoding, {}, "HEAD")];
      expect(Number(again.headers["content-length"])).toBe(again.raw.length);
      expect(Number(head.headers["content-length"])).toBe(again.raw.length);
      expect(again.raw.equals(first.raw)).toBe(true);
      expect(again.headers["etag"]).toBe(first.headers["etag"]);
    },
  );

  it("a HEAD before any GET is quick to say what it knows", async () => {
    const answer = await get(`${LARGE}?quarter=Fall`, "gzip", {}, "HEAD");
    expect([answer.status, answer.headers["content-encoding"], answer.raw.length]).toEqual([200, "gzip", 0]);
    expect(answer.headers["etag"]).toBe((await get(`${LARGE}?quarter=Fall`, "gzip")).headers["etag"]);
  });
});

describe("entity tags: snapshot id + canonical query + encoding", () => {
  const tagOf = async (path: string, encoding?: string) => (await get(path, encoding)).headers["etag"];

  it("differ by encoding, query, id and endpoint", async () => {
    const tags = await Promise.all([
      ...[undefined, "br", "gzip"].map((encoding) => tagOf(LARGE, encoding)),
      tagOf(`${LARGE}?year=2024`),
      tagOf(`${LARGE}?year=2023`),
      tagOf(`${LARGE}?courseNumber=2024`),
      tagOf("/courses/DANCE10"),
      tagOf("/courses/DANCE20"),
      tagOf("/courses"),
      tagOf("/courses/all"),
      tagOf("/instructors"),
    ]);
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toContain(surface.id);
  });

  it.each([
    ["order of parameters", `${LARGE}?year=2024&quarter=Fall`, `${LARGE}?quarter=Fall&year=2024`],
    ["empty values", `${LARGE}?year=2024`, `${LARGE}?year=2024&department=&courseNumber=`],
    ["a value given twice", `${LARGE}?year=2024`, `${LARGE}?year=2024&year=2024`],
    ["ANY and ALL", LARGE, `${LARGE}?ge=ANY&division=ALL&department=ALL`],
    ["unknown parameters", LARGE, `${LARGE}?color=red`],
    ["a department's blanks and case", `${LARGE}?department=I%26C+SCI`, `${LARGE}?department=i%26csci`],
    ["percent-encoding", `${LARGE}?courseNumber=%31%30`, `${LARGE}?courseNumber=10`],
    [
      "comma list, repetition, both, in any order",
      "/courses?taughtByInstructors=a,b,c",
      "/courses?taughtByInstructors=c,%20b&taughtByInstructors=a&taughtByInstructors=,,",
    ],
    ["an id's case", "/courses/DANCE10", "/courses/dance10"],
    ["an id's encoding", "/courses/DANCE10", "/courses/D%41NCE10"],
    ["two spellings of one value", `${MIDDLE}&fullCourses=OverEnrolled`, `${MIDDLE}&fullCourses=Overenrolled`],
    ["a trailing slash", "/courses/all", "/courses/all/"],
  ])("are equal for equal questions: %s", async (_what, one, other) => {
    const [a, b] = [await get(one), await get(other)];
    expect([a.status, b.status]).toEqual([200, 200]);
    expect(b.headers["etag"]).toBe(a.headers["etag"]);
    expect(b.text).toBe(a.text);
  });
});
