/** `ids` of courses and instructors (server/RULES.md, Instructors and courses). */
import { afterAll, describe, expect, it } from "vitest";
import { openArtAndDance, query } from "../../support/worlds/art-and-dance.ts";

const { app, get, close } = await openArtAndDance();
afterAll(close);

const warningOf = async (address: string) => (await app.get(address)).headers.get("warning");
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `ID${i}`).join(",");

describe("ids", () => {
  it.each<[filters: Record<string, string>, ids: string[]]>([
    [{ ids: "DANCEW,ART1,I&CSCI46" }, ["DANCEW", "ART1", "I&CSCI46"]],
    [{ ids: "art1, crm/lawc7" }, ["ART1", "CRM/LAWC7"]],
    [{ ids: "art1,DANCEW,ART1" }, ["ART1", "DANCEW"]],
    [{ ids: "DANCEW,ART,ART1" }, ["DANCEW", "ART1"]],
    [{ ids: "dance w,I&C SCI 46,CRM/LAW C7,DANCEW,i&c  sci 46" }, ["DANCEW", "I&CSCI46", "CRM/LAWC7"]],
    [{ ids: "nothing" }, []],
    [{ ids: "DANCEW,ART1,DANCE99", department: "DANCE" }, ["DANCEW", "DANCE99"]],
    [{ ids: "DANCEW,ART1,DANCE99", department: "DANCE", limit: "1", offset: "1" }, ["DANCE99"]],
  ])("/courses %o", async (filters, ids) => {
    expect((await get<{ id: string }[]>(`/courses?${query(filters)}`)).map(({ id }) => id)).toEqual(ids);
    const { sql, rows } = await get<{ sql: string; rows: number }>(
      `/courses?${query({ ...filters, explain: "true" })}`,
    );
    expect(sql).toContain("ORDER BY list_position(");
    expect(rows).toBe(ids.length);
    const csv = await (await app.get(`/courses?${query({ ...filters, format: "csv" })}`)).text();
    expect([...csv.matchAll(/^[A-Z&]+[/\w]*(?=,)/gm)].map(([id]) => id).filter((id) => ids.includes(id))).toEqual(ids);
  });

  it("are names of courses in paths too, with the same tag", async () => {
    for (const name of ["dance w", "DANCE\u00a0W", "I&C SCI 46", "crm/law c7"]) {
      const [named, own] = [name, name.replaceAll(/\s/g, "")].map((id) =>
        app.get(`/courses/${encodeURIComponent(id)}`),
      );
      const [response, expected] = [await named, await own];
      expect([response?.status, response?.headers.get("etag")]).toEqual([200, expected?.headers.get("etag")]);
      const { sql } = await get<{ sql: string }>(`/courses/${encodeURIComponent(name)}?explain=true`);
      expect(sql).toContain(`'${name.replaceAll(/\s/g, "").toLowerCase()}'`);
    }
    expect((await app.get("/instructors/r%20amberley")).status).toBe(404);
  });

  it("of instructors", async () => {
    const people = await get<{ netid: string }[]>(
      "/instructors?ids=RAMBERLEY&ids=klee2,klee&schoolsContains=School of Arts",
    );
    expect(people.map(({ netid }) => netid)).toEqual(["ramberley", "klee2", "klee"]);
  });

  it("responses in another order have another tag, in another spelling none but the list's", async () => {
    const tag = async (ids: string) => (await app.get(`/courses?ids=${ids}`)).headers.get("etag");
    expect(await tag("ART1,DANCEW")).toBe(await tag("ART1,,%20DANCEW,ART1"));
    expect(await tag("ART1,DANCEW")).not.toBe(await tag("DANCEW,ART1"));
    const { request } = await get<{ request: { url: string } }>("/courses?ids=DANCEW,ART1&explain=true");
    expect(request.url).toBe("/v1/rest/courses?ids=DANCEW%2CART1");
  });

  it("that nobody has are named in Warning, and only those", async () => {
    expect(await warningOf("/courses?ids=ART1,art,X%22%C3%A9")).toBe(
      '299 - "unknown courses ignored: art, X%22%C3%A9"',
    );
    expect(await warningOf("/instructors?ids=nobody")).toBe('299 - "unknown instructors ignored: nobody"');
    expect(await warningOf("/courses?ids=art1&department=DANCE")).toBeNull();
    expect(await warningOf(`/courses?ids=${numbered(200)}`)).toMatch(/ID0, ID1,.* ID199"$/);
    const long = Array.from({ length: 200 }, (_, i) => `${i}${"%C3%A9".repeat(5)}`).join(",");
    expect(await warningOf(`/courses?ids=${long}`)).toMatch(/ and \d+ more"$/);
  });

  it("more than 200 are a 400", async () => {
    expect((await app.get(`/courses?ids=${numbered(200)}`)).status).toBe(200);
    const refused = await app.get(`/courses?ids=${numbered(201)}`);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { message: string }).message).toBe(
      'Invalid ids provided: "201 ids" (allowed: at most 200 ids)',
    );
  });
});
