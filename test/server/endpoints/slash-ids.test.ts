/** Ids of courses whose department has a slash: a client that does not encode it gets the same responses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishRows } from "../../support/published/published.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { type Answer, ask, type Asking } from "../http/wire.ts";

describe.each(["0", "1"])("COMPAT=%s", (compat) => {
  const folders: Awaited<ReturnType<typeof openFolder>>[] = [];
  let server: Awaited<ReturnType<typeof serve>>;
  let snapshot = "";
  beforeAll(async () => {
    const folder = await openFolder();
    folders.push(folder);
    const courses = [
      courseRow({ department: "CHC/LAT", courseNumber: "101", courseNumeric: 101 }),
      courseRow({ department: "CRM/LAW", courseNumber: "C7", courseNumeric: 7 }),
      courseRow({ department: "COMPSCI", courseNumber: "161", courseNumeric: 161 }),
    ];
    ({ id: snapshot } = await publishRows(folder.artifacts, { courses, instructors: [personRow()] }));
    server = await serve({ ...folder.env, COMPAT: compat });
  });
  afterAll(async () => {
    await server?.close();
    for (const { remove } of folders) await remove();
  });

  const get = (path: string, asking?: Asking) => ask(`${server.url}/v1/rest/courses${path}`, asking);
  const later = /"(timestamp|requestId)":"[^"]*"|\d\d:\d\d:\d\d/g;
  const about = ({ status, headers, text }: Answer) => {
    const { "x-request-id": _id, date: _date, connection: _connection, ...rest } = headers;
    return { status, rest, text: text.replaceAll(later, "") };
  };

  it.each(["/CHC", "/chc", "/CRM"])("%s/…: with and without encoding", async (department) => {
    const number = department === "/CRM" ? "LAWC7" : "LAT101";
    for (const rest of [
      "",
      "/",
      "?format=csv",
      "/?format=ndjson",
      "?explain=true",
      `?asOf=${snapshot}`,
      `?asOf=${snapshot}&explain=true`,
      "?nothing=1",
      "?format=xml",
    ])
      for (const asking of [{}, { method: "HEAD" }, { headers: { "accept-encoding": "gzip" } }]) {
        const encoded = await get(`${department}%2F${number}${rest}`, asking);
        const plain = await get(`${department}/${number}${rest}`, { ...asking, undocumented: true });
        expect(about(plain)).toEqual(about(encoded));
        expect(plain.status).toBe(rest === "?format=xml" ? 400 : 200);
      }
  });

  it("the tag of one is that of the other", async () => {
    const { headers, text } = await get("/CHC/LAT101", { undocumented: true });
    expect(text).toContain('"CHC/LAT101"');
    const asking = { headers: { "if-none-match": String(headers.etag) } };
    expect((await get("/CHC%2FLAT101", asking)).status).toBe(304);
    expect((await get("/CHC/LAT101", { ...asking, undocumented: true })).status).toBe(304);
  });

  it("what is no course is still a 404 that names the id", async () => {
    for (const [path, id] of [
      ["/COMPSCI161/foo", "COMPSCI161/foo"],
      ["/all/foo", "all/foo"],
      ["/CHC/LAT101//", "CHC/LAT101/"],
      ["//CHC/LAT101", "/CHC/LAT101"],
      ["/CHC//LAT101", "CHC//LAT101"],
      ["/CHC%252FLAT101", "CHC%2FLAT101"],
      ["/CHC/LAT/101", "CHC/LAT/101"],
    ] as const) {
      const answer = await get(path, { undocumented: true });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).toContain(`Course \\"${id}\\" not found`);
    }
    expect((await get("/CHC/LAT%zz", { undocumented: true })).status).toBe(400);
  });

  it("other methods, the lists, and ids without slashes are as before", async () => {
    const post = await get("/CHC/LAT101", { method: "POST", undocumented: true });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await get("/CHC/LAT101", { method: "OPTIONS", undocumented: true })).status).toBe(204);
    for (const path of ["", "/", "/all", "/all/"]) {
      const answer = await get(path, { undocumented: true });
      const ids = [
        ...answer.text.matchAll(/"id":"([^"]*)","department":"[^"]*","courseNumber":"[^"]*","courseNumeric"/g),
      ];
      expect([path, ids.map(([, id]) => id)]).toEqual([path, ["CHC/LAT101", "COMPSCI161", "CRM/LAWC7"]]);
    }
    expect((await get("/compsci161/")).text).toContain('"COMPSCI161"');
    const other = await ask(`${server.url}/v1/rest/instructors/klee/foo`, { undocumented: true });
    expect(other.text).toContain("The requested resource could not be found.");
  });
});
