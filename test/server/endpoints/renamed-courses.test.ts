/** Every name of a course that the catalogue does not have × every spelling × every way to ask for a course. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherNamesOf, otherNameText } from "../../../server/site/app/course/other-name-links.ts";
import { keepLink } from "../../../server/site/app/data/response-links.ts";
import { publishRows } from "../../support/published/published.ts";
import { someOf } from "../../support/extent.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { CLAIMED_TWICE, RENAMED, rows, spellingsOf, UNCATALOGUED } from "../../support/worlds/renamed-courses.ts";
import { ask } from "../http/wire.ts";
import { openAssistant } from "../mcp/assistant.ts";

const HTML = { headers: { accept: "text/html" }, undocumented: true };
const escaped = (text: string) => text.replaceAll("&", "&#38;");

interface Row {
  readonly id: string;
}
interface Hit extends Row {
  readonly kind: string;
  readonly title: string;
  readonly subtitle: string;
  readonly links: Readonly<Record<string, string>>;
}

describe.each([
  { COMPAT: "0", BASE_PATH: "" },
  { COMPAT: "1", BASE_PATH: "/academic" },
])("%o", (mode) => {
  const root = `${mode.BASE_PATH}/v1/rest`;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  let assistant: Awaited<ReturnType<typeof openAssistant>>;
  let snapshot = "";

  beforeAll(async () => {
    folder = await openFolder();
    ({ id: snapshot } = await publishRows(folder.artifacts, rows));
    server = await serve({ ...folder.env, ...mode });
    assistant = await openAssistant(`${server.url}${mode.BASE_PATH}`);
  });
  afterAll(async () => {
    await assistant?.close();
    await server?.close();
    await folder?.remove();
  });

  const get = (path: string, headers?: Record<string, string>) =>
    ask(`${server.url}${root}${path}`, headers ? { headers } : {});
  const payloadOf = <T>(text: string): T => {
    const body = JSON.parse(text) as { payload?: T };
    return mode.COMPAT === "1" ? (body.payload as T) : (body as T);
  };
  const textOf = async (path: string) => (await get(path)).text;
  const idOf = ([department, number]: readonly [string, string]) => `${department}${number}`.replaceAll(" ", "");

  const renamed = RENAMED.flatMap(([other, catalogued, words]) =>
    spellingsOf(other).map((spelling) => ({ spelling, other, id: idOf(catalogued), words })),
  );

  const tried = someOf(renamed, mode.COMPAT === "1" ? 6 : 24);

  it.each(tried)("$spelling is $id", async ({ spelling, other, id, words }) => {
    const path = `/courses/${encodeURIComponent(spelling)}`;
    const own = payloadOf<Row>(await textOf(`/courses/${encodeURIComponent(id)}`));
    const one = await get(path);
    expect([one.status, payloadOf<Row>(one.text)]).toEqual([200, own]);
    const location = `${root}/courses/${encodeURIComponent(id)}`;
    expect(one.headers["content-location"]).toBe(location);
    expect(decodeURIComponent(String(one.headers["warning"]))).toContain(words);
    expect(decodeURIComponent(String(one.headers["warning"]))).toContain(id);

    const again = await get(path, { "if-none-match": String(one.headers["etag"]) });
    expect([again.status, again.headers["content-location"]]).toEqual([304, location]);

    const fields = await ask(`${server.url}${root}${path}?fields=id`, { undocumented: true });
    expect(payloadOf<Row>(fields.text)).toEqual({ id });
    expect(fields.headers["content-location"]).toBe(`${location}?fields=id`);
    const then = await get(`${path}?asOf=${snapshot}`);
    expect([payloadOf<Row>(then.text), then.headers["content-location"]]).toEqual([
      own,
      `${location}?asOf=${snapshot}`,
    ]);
    const explained = payloadOf<{ sql: string; rows: number; tables: { name: string }[] }>(
      await textOf(`${path}?explain=true`),
    );
    expect(explained.rows).toBe(1);
    expect(explained.sql).toContain(`'${id.toLowerCase()}'`);
    expect(explained.tables.map(({ name }) => name)).toEqual(["courses", "former_names"]);

    const listed = await get(`/courses?ids=${encodeURIComponent(`${spelling},${id},CHEM262`)}`);
    expect(payloadOf<Row[]>(listed.text).map((row) => row.id)).toEqual([id, "CHEM262"]);
    expect(decodeURIComponent(String(listed.headers["warning"]))).toContain(words);
    const csv = await textOf(`/courses?ids=${encodeURIComponent(spelling)}&format=csv`);
    expect(csv.split("\r\n")[1]?.split(",")[0]).toBe(id);

    const hits = payloadOf<Hit[]>(await textOf(`/search?q=${encodeURIComponent(spelling)}`));
    const hit = hits[0];
    expect([hit?.kind, hit?.id, hit?.subtitle]).toEqual(["course", id, expect.stringContaining(other.join(" "))]);
    expect(hits.filter((one) => one.id === id)).toHaveLength(1);

    const { data, warnings } = await assistant.result("course", { id: spelling });
    expect((data as Row).id).toBe(id);
    expect(warnings.join()).toContain(words);
    const found = await assistant.result("search", { q: spelling });
    expect((found.data as Row[])[0]?.id).toBe(id);
  });

  it("grades and history of other names are offered beside a course and its former name, never among its own", async () => {
    for (const id of ["SWE43", "in4matx 43"]) {
      const { headers } = await get(`/courses/${encodeURIComponent(id)}`);
      const links = [...String(headers["link"]).matchAll(/<([^>]+)>; rel="related"; title="([^"]+)"/g)];
      expect(links.map(([, address, title]) => [address, title])).toEqual([
        [
          `${root}/grades/aggregate?department=IN4MATX&courseNumber=43`,
          "Grades under the former name IN4MATX 43, until 2025 Fall",
        ],
        [
          `${root}/enrollmentHistory?department=IN4MATX&courseNumber=43`,
          "Enrollment history under the former name IN4MATX 43, until 2025 Fall",
        ],
        [`${root}/grades/aggregate?department=INF&courseNumber=43`, "Grades under the former name INF 43"],
        [`${root}/enrollmentHistory?department=INF&courseNumber=43`, "Enrollment history under the former name INF 43"],
      ]);
      for (const [, address] of links) expect((await ask(`${server.url}${address}`)).status).toBe(200);
    }
    const later = await get("/courses/IN4MATX115");
    expect(later.headers["link"]).toContain("grades/aggregate?department=SWE&courseNumber=115>");
    expect(later.headers["link"]).toContain("Grades under the newer name SWE 115, from 2025 Fall");
    expect(later.headers["warning"]).toBeUndefined();
    expect((await get("/courses/MATH2A")).headers["content-location"]).toBeUndefined();
    const own = payloadOf<unknown[]>(await textOf("/grades/raw?department=SWE&courseNumber=43"));
    expect(own).toHaveLength(1);
  });

  it("the page of a course reads its other names from its response", async () => {
    const textsOf = async (id: string) => {
      const { text, headers } = await get(`/courses/${id}`);
      const course = payloadOf<object>(text);
      keepLink(course, headers["link"] === undefined ? null : String(headers["link"]));
      return otherNamesOf(course).map(otherNameText);
    };
    expect(await textsOf("IN4MATX43")).toEqual(["Formerly IN4MATX 43 (until Fall 2025)", "Formerly INF 43"]);
    expect(await textsOf("I%26CSCIH32")).toEqual(["Formerly I&C SCI 32A (until Winter 2024)"]);
    expect(await textsOf("IN4MATX115")).toEqual(["Now SWE 115 (since Fall 2025)"]);
    expect(await textsOf("MATH2A")).toEqual(["Formerly MATH 2X"]);
    expect(await textsOf("CHEM262")).toEqual(["Now DANCE 1"]);
  });

  it("a former name that two courses claim is a 404 with both, and both are found", async () => {
    const { status, text } = await get(`/courses/${encodeURIComponent(CLAIMED_TWICE)}`);
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
      404,
      `Course "${CLAIMED_TWICE}" not found: it is a former name of "MATH2A" and of "MATH2B"`,
    ]);
    const hits = payloadOf<Hit[]>(await textOf("/search?q=math2x"));
    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(["MATH2A", "MATH2B"]);
  });

  it("a course of the catalogue is itself, also where it is a former name", async () => {
    const one = await get("/courses/CHEM262");
    expect([payloadOf<Row>(one.text).id, one.headers["content-location"]]).toEqual(["CHEM262", undefined]);
    expect(payloadOf<Hit[]>(await textOf("/search?q=chem262"))[0]).toMatchObject({ id: "CHEM262" });
  });

  const uncatalogued = UNCATALOGUED.flatMap(([name, where]) =>
    spellingsOf(name).map((spelling) => ({ spelling, name, where })),
  );

  it.each(someOf(uncatalogued, 8))("$spelling is not in the catalogue", async ({ spelling, name, where }) => {
    const { status, text } = await get(`/courses/${encodeURIComponent(spelling)}`);
    const { message } = JSON.parse(text) as { message: string };
    expect(status).toBe(404);
    expect(message).toMatch(/^Course "[^"]+" is not in the catalogue, but it (?:is on the schedule of|has grades)/);
    expect(message.endsWith(`: ${root}${where}`)).toBe(true);
    expect(await textOf(where)).toContain(name[1]);
    expect(await assistant.error("course", { id: spelling })).toContain(where);

    const [hit] = payloadOf<Hit[]>(await textOf(`/search?q=${encodeURIComponent(spelling)}`));
    expect(hit).toMatchObject({ kind: "course", id: idOf(name), title: name.join(" ") });
    expect(hit?.links["self"]).toBe(`/v1/rest${where}`);
    const { data } = await assistant.result("search", { q: spelling });
    expect((data as Hit[])[0]).toMatchObject({ id: idOf(name) });
    const page = await ask(`${server.url}${mode.BASE_PATH}/courses/${encodeURIComponent(spelling)}`, HTML);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`<title>${escaped(name.join(" "))}`)]);
    const explained = payloadOf<{ rows: number; tables: { name: string }[] }>(
      await textOf(`/search?q=${encodeURIComponent(spelling)}&explain=true&limit=1`),
    );
    expect(explained.rows).toBe(1);
    expect(explained.tables.map((table) => table.name)).toContain("sections");
  });

  it("an id that nothing has is a 404 with courses of the catalogue alone", async () => {
    const { message } = JSON.parse(await textOf("/courses/CHEM263")) as { message: string };
    expect(message).toBe('Course "CHEM263" not found. Did you mean "CHEM262"?');
  });
});
