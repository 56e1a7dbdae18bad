/** `/client.ts` and `/client.js` are what the command writes, and work against the server that they came from. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveCompiled } from "../../support/compiled-server.ts";
import { publishRows } from "../../support/published/published.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { ask } from "../http/wire.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const folder = await openFolder();
const written = await mkdtemp(join(tmpdir(), "served-client-"));
const file = join(written, "client.js");
const servers: Awaited<ReturnType<typeof serveCompiled>>[] = [];
async function serve(env: Record<string, string> = {}): Promise<string> {
  const server = await serveCompiled({ ...folder.env, ...env });
  servers.push(server);
  return server.url;
}
let url = "";
beforeAll(async () => {
  await publishRows(folder.artifacts, { courses: [courseRow({ courseNumber: "10" })] });
  await promisify(execFile)("npm", ["run", "-s", "client", "--", "--out", file], { cwd: ROOT });
  url = await serve();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(written, { recursive: true });
  await folder.remove();
});

it("is what the command writes", async () => {
  for (const [language, type] of [
    ["ts", "text/typescript"],
    ["js", "text/javascript"],
  ] as const) {
    const answer = await ask(`${url}/client.${language}`);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
    expect(answer.text).toBe(await readFile(file.replace(/js$/, language), "utf8"));
    const types = /^(?:export )?(?:type|interface) /m;
    if (language === "js") expect(answer.text).not.toMatch(types);
    else expect(answer.text).toContain("export type Client");
  }
});

it("may be kept for a while, and is asked for by its tag", async () => {
  const { headers } = await ask(`${url}/client.ts`, { headers: { "accept-encoding": "gzip" } });
  expect(headers).toMatchObject({ "cache-control": "public, max-age=300", "content-encoding": "gzip" });
  const again = await ask(`${url}/client.ts`, {
    headers: { "accept-encoding": "gzip", "if-none-match": String(headers.etag) },
  });
  expect([again.status, again.raw.length]).toEqual([304, 0]);
  expect((await ask(`${url}/client.js`, { method: "POST" })).status).toBe(405);
});

it.each(["0", "1"])("talks to its server, with COMPAT=%s", async (COMPAT) => {
  const address = COMPAT === "1" ? await serve({ COMPAT }) : url;
  const module = join(written, `compat-${COMPAT}.mjs`);
  await writeFile(module, (await ask(`${address}/client.js`)).text);
  const { createClient } = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as {
    createClient: (options: { baseUrl: string }) => { courses: () => Promise<unknown> };
  };
  const courses = await createClient({ baseUrl: address }).courses();
  const wanted = [{ courseNumber: "10" }];
  expect(courses).toMatchObject(COMPAT === "1" ? { payload: wanted, success: true } : wanted);
});
