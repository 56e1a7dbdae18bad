/** "When the server finds only data of another contract, it says so": no answer asks for patience that would not help. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isMade } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { layoutOf, nameOf } from "../../../pipeline/store/layout.ts";
import { publishOlder } from "../../pipeline/migrations/older-base.ts";
import { scratchDatabase } from "../../pipeline/publish/scratch.ts";
import { start } from "../../support/program.ts";
import { ask } from "../http/wire.ts";
import { openFolder, run, serve } from "../../support/whole-run.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
beforeEach(async () => (place = await openFolder()));
const reader = await scratchDatabase(1);
/** Nothing differs but the version. */
const NOT_REWRITTEN = { table: "none", select: "" };
afterEach(() => place.remove());

const OLDER = `the published data is of contract version 0, this server reads ${CONTRACT_VERSION}: run \`make refresh\` to migrate it`;

test("older data: the body, readiness and the build report name the versions and the command; after that command it is served", async () => {
  const { manifest: old } = await publishOlder(place.artifacts, reader, NOT_REWRITTEN);
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
    const history = await server.json<unknown[]>("/enrollmentHistory?year=2019&quarter=Fall&department=DANCE");
    expect(history).toHaveLength(2);

    // The older snapshot stays listed, and says what keeps it from answering; its time is that of the migrated one.
    const get = (path: string) => ask(server.url + path);
    const listed = (await get("/v1/snapshots")).json<{ id: string; contract?: number }[]>();
    expect(listed.find(({ id }) => id === old.id)).toMatchObject({ contract: 0, servedFrom: old.createdAt });
    expect(listed.filter(({ contract }) => contract !== undefined).map(({ id }) => id)).toEqual([old.id]);
    const refusal = {
      statusCode: 404,
      message: expect.stringMatching(
        new RegExp(`^Snapshot ${old.id} is of contract version 0, not ${CONTRACT_VERSION}: it would need a migration`),
      ) as string,
    };
    for (const path of [`/v1/rest/grades/raw?asOf=${old.id}`, `/v1/rest/schedule/terms?asOf=${old.id}&explain=true`])
      expect((await get(path)).json()).toMatchObject(refusal);
    const then = await get(`/v1/rest/grades/raw?asOf=${encodeURIComponent(old.createdAt)}`);
    expect([then.status, then.headers["x-data-snapshot"]]).toEqual([200, listed.at(-2)?.id]);
    const { files } = (await get(`/v1/snapshots/${old.id}`)).json<typeof old>();
    expect(files).toEqual(old.files.filter((listed) => !isMade(listed)));
    const [file] = files;
    const since = await get(`/v1/data/manifest.json?since=${old.id}`);
    expect(since.json()).toMatchObject({ since: { id: old.id }, removed: expect.any(Array) as unknown });
    const bytes = await get(`/v1/data/${old.generation}-${old.id}/${file?.path}`);
    expect([bytes.status, bytes.raw.length]).toEqual([200, file?.bytes]);
    const changes = await get(`/v1/rest/changes?since=${old.id}`);
    expect(changes.status).toBe(200);
    const sql = await start("pipeline/main.ts", ["sql", "--as-of", old.id, "select 1"], place.env).ended;
    expect([sql.code, sql.err]).toEqual([2, expect.stringContaining("it would need a migration")]);
  } finally {
    await server.close();
  }
});

test.each([
  [9, /was written by a version of this program from before its first release: .* Move ARTIFACTS_DIR away/],
  [10, /was written by a newer version of this program \(contract version 10, .* Run the newer version/],
])(
  "data of contract version %i: the log says at the start what to do, and so does every response",
  async (contract, words) => {
    const { manifest } = await publishOlder(place.artifacts, reader, NOT_REWRITTEN);
    const { pointer, snapshots } = layoutOf(place.artifacts);
    const snapshot = { contract, files: "elsewhere" };
    await writeFile(join(snapshots, `${nameOf(manifest)}.json`), JSON.stringify(snapshot));
    // Before the first release the current snapshot was the document itself.
    await writeFile(pointer, JSON.stringify(contract === 9 ? snapshot : { snapshot, retained: [] }));
    const server = start("server/main.ts", [], { ...place.env, HOST: "127.0.0.1", PORT: "0" });
    await server.says(new RegExp(`${words.source}.*; until then every request gets 503`));
    const [, url] = await server.says(/"url":"([^"]+)"/);
    const answer = await fetch(`${url}/v1/rest/week`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringMatching(words)]);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  },
);
