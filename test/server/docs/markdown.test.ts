/** `/llms.txt` and the markdown pages: from the same records as the OpenAPI document, in both modes. */
import { afterAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../server/endpoints/all.ts";
import type { OpenApiDocument } from "../../support/documented.ts";
import { start } from "../../support/program.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { sectionRow } from "../../support/worlds/section-rows.ts";
import { ask } from "../http/wire.ts";

describe.each([{}, { COMPAT: "1" }, { BASE_PATH: "/academic" }])("%o", async (mode: Record<string, string>) => {
  const folder = await openFolder();
  await publishRows(folder.artifacts, { sections: [sectionRow()] });
  const { child, ended, says } = start("server/main.ts", [], { ...folder.env, HOST: "127.0.0.1", PORT: "0", ...mode });
  const [, url = ""] = await says(/"url":"(http:[^"]+)"/);
  afterAll(async () => {
    child.kill("SIGTERM");
    await ended;
    await folder.remove();
  });
  const text = async (path: string, type: string) => {
    const answer = await ask(url + path, { undocumented: true });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
    expect(answer.headers.etag).toBeDefined();
    return answer.text;
  };

  it("the overview links to a page for each endpoint, and to addresses that exist", async () => {
    const overview = await text("/llms.txt", "text/plain");
    const links = [...overview.matchAll(/^- \[(.+)\]\((.+)\): (.+)$/gm)].map(([, name = "", path = "", about]) => ({
      name,
      path,
      about,
    }));
    for (const { path, summary } of endpoints)
      expect(links).toContainEqual({
        name: `${mode["BASE_PATH"] ?? ""}/v1/rest${path}`,
        path: expect.stringMatching(/\/docs\/\w+\.md$/) as string,
        about: summary,
      });
    expect(new Set(links.map(({ path }) => path)).size).toBe(links.length);
    // The client has tests of its own, with the programs that `make setup` compiles.
    for (const { name, path } of links.filter((link) => !link.name.endsWith("/client.ts"))) {
      for (const address of [name, path]) expect(address.startsWith(`${mode["BASE_PATH"] ?? ""}/`)).toBe(true);
      const { status } = await ask(url + path, { undocumented: true });
      expect([path, status]).toEqual([path, path.endsWith("/mcp") ? 405 : 200]);
    }
  });

  it("each page has every parameter, the response's fields, the example and every error of the description", async () => {
    const document = (await ask(`${url}/v1/openapi.json`)).json<OpenApiDocument>();
    for (const { path } of endpoints) {
      const operation = document.paths[`/v1/rest${path.replace(/:(\w+)/, "{$1}")}`]?.get;
      const page = await text(`/docs/${operation?.operationId}.md`, "text/markdown");
      const address = `GET ${mode["BASE_PATH"] ?? ""}/v1/rest`;
      expect(page).toContain(`# ${address}${path}\n`);
      expect(page.split("\n")).toContainEqual(expect.stringMatching(new RegExp(`^${address}`)));
      for (const { name, required } of operation?.parameters ?? []) {
        const [line = ""] = new RegExp(`^\\| \`${name}\` \\| .*$`, "m").exec(page) ?? [];
        expect([name, line.includes("required")]).toEqual([name, required]);
      }
      for (const status of Object.keys(operation?.responses ?? {}).filter((one) => one >= "400"))
        expect(page).toMatch(new RegExp(`^\\| ${status} \\| .+ \\| .+ \\|$`, "m"));
      const [, json = ""] = /^```json\n([^]*?)\n```$/m.exec(page) ?? [];
      expect(operation?.responses["200"]?.content?.["application/json"]).toMatchObject({
        example: JSON.parse(json) as object,
      });
      expect(page).toMatch(/^- `[\w.[\]*]+`.*: .+$/m);
      expect(page).not.toMatch(/undefined|\[object/);
    }
  });

  it("tables have as many cells as columns", async () => {
    for (const name of ["schedule", "gradesRaw", "coursesById"]) {
      const page = await text(`/docs/${name}.md`, "text/markdown");
      const rows = page.split("\n").filter((line) => line.startsWith("|"));
      const cells = rows.map((row) => row.replaceAll("\\|", "").split("|").length - 2);
      expect([...new Set(cells)].sort()).toEqual([3, 4]);
    }
  });
});
