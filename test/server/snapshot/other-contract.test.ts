/** "When the server finds only data of another contract, it says so": no answer asks for patience that would not help. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { placeOldBase } from "../../pipeline/migrations/old-base.ts";
import { start } from "../../support/program.ts";
import { openFolder, run, serve } from "../../support/whole-run.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
beforeEach(async () => (place = await openFolder()));
afterEach(() => place.remove());

const OLDER = `the published data is of contract version 1, this server reads ${CONTRACT_VERSION}: run \`make refresh\` to migrate it`;

test("older data: the body, readiness and the build report name the versions and the command; after that command it is served", async () => {
  await placeOldBase(place.artifacts, 1);
  const server = await serve(place.env);
  try {
    const refused = await fetch(`${server.url}/v1/rest/week`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ message: `T${OLDER.slice(1)}.` });
    const manifest = await fetch(`${server.url}/v1/data/manifest.json`);
    expect([manifest.status, await manifest.text()]).toEqual([503, expect.stringContaining("run `make refresh`")]);
    const ready = await fetch(`${server.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: "no data", refused: OLDER });
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ snapshot: null, refused: OLDER });

    await run(place.env, "refresh", () => new Date("2026-11-20T18:00:00Z"), { addresses: {}, sample: undefined });
    await expect.poll(async () => (await fetch(`${server.url}/health/ready`)).status, { timeout: 20_000 }).toBe(200);
    const history = await server.json<unknown[]>("/enrollmentHistory?year=2026&quarter=Fall&department=DANCE");
    expect(history.length).toBeGreaterThan(10);
  } finally {
    await server.close();
  }
});

test("newer data: it asks for the newer program; the log says it at the start", async () => {
  const { folder } = await placeOldBase(place.artifacts, CONTRACT_VERSION);
  const path = join(folder, "manifest.json");
  await writeFile(
    path,
    JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), contract: 9, files: "elsewhere" }),
  );
  const server = start("server/main.ts", [], { ...place.env, HOST: "127.0.0.1", PORT: "0" });
  const told = `the published data is of contract version 9, this server reads ${CONTRACT_VERSION}: run the newer version of the program`;
  await server.says(new RegExp(`${told}; until then every request gets 503`));
  const [, url] = await server.says(/"url":"([^"]+)"/);
  const answer = await fetch(`${url}/v1/rest/week`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("contract version 9")]);
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});
