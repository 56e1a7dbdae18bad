/** `/v1` and `/v1/rest` (server/RULES.md, HTTP): every address below them is listed, in both modes. */
import { afterAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { ask } from "../http/wire.ts";

describe.each([{}, { COMPAT: "1" }])("%o", async (mode) => {
  const folder = await openFolder();
  const server = await serve({ ...folder.env, ...mode });
  afterAll(async () => {
    await server.close();
    await folder.remove();
  });
  const list = async (path: string) => {
    const answer = await ask(server.url + path);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    return { ...answer, list: answer.json<Record<string, string>>() };
  };

  it("lists the endpoints with their summaries", async () => {
    const { list: named } = await list("/v1/rest");
    expect(named).toEqual(Object.fromEntries(endpoints.map(({ path, summary }) => [`/v1/rest${path}`, summary])));
    expect((await list("/v1/rest/")).list).toEqual(named);
  });

  it("lists what else is below /v1, as the description of the service has it", async () => {
    const { list: named, headers } = await list("/v1");
    const { paths } = (await ask(`${server.url}/v1/openapi.json`)).json<{ paths: Record<string, object> }>();
    const others = Object.keys(paths).filter((path) => path.startsWith("/v1/") && !path.startsWith("/v1/rest/"));
    expect(Object.keys(named).sort()).toEqual(others.sort());
    expect(named["/v1/rest"]).toBe("The endpoints");
    expect((await ask(`${server.url}/v1`, { headers: { "if-none-match": String(headers.etag) } })).status).toBe(304);
  });

  it("gives browsers the reference, and refuses other methods", async () => {
    const page = await ask(`${server.url}/v1/rest`, { headers: { accept: "text/html" }, undocumented: true });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await ask(`${server.url}/v1/rest`, { method: "POST" })).status).toBe(405);
  });
});
