/** "Replicas behind a load balancer respond alike", whatever their age: what is earlier than a replica comes from its origin when it is asked for. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { OneSnapshot, SnapshotList } from "../../../server/data/snapshots.ts";
import { exportSnapshot } from "../../../pipeline/lake/export.ts";
import { openFolderStore } from "../../../pipeline/stores/folder.ts";
import { ask } from "../../server/http/wire.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { followOrigin } from "./followed-origin.ts";

/** Of the next snapshot: each has one more. */
let rows = 60;

type Served = Awaited<ReturnType<typeof serve>>;

const { origin, originServer, way, publishAtOrigin } = followOrigin();

const lake = mkdtempSync(join(tmpdir(), "lake-"));
afterAll(() => rmSync(lake, { recursive: true }));
const exportAll = () => exportSnapshot(origin().artifacts, openFolderStore(lake), { now: new Date() });

describe.each([
  ["a server", () => way().url],
  ["a folder, as a bucket has it", () => lake],
] as const)("of %s", (_what, address) => {
  const folders: Awaited<ReturnType<typeof openFolder>>[] = [];
  const replicas: Served[] = [];
  async function openReplica(): Promise<{ replica: Served; artifacts: string }> {
    const folder = await openFolder();
    const replica = await serve({ ARTIFACTS_DIR: folder.artifacts, FOLLOW_URL: address() });
    folders.push(folder);
    replicas.push(replica);
    return { replica, artifacts: folder.artifacts };
  }
  const generationsOf = (artifacts: string) => readdirSync(join(artifacts, "generations"));

  let older: Awaited<ReturnType<typeof openReplica>>;
  let younger: typeof older;
  let current: string;
  beforeAll(async () => {
    await exportAll();
    older = await openReplica();
    for (const _ of [1, 2, 3]) {
      current = await publishAtOrigin(rows++);
      await exportAll();
      await vi.waitFor(async () => expect(await snapshotOf(older.replica)).toBe(current), { timeout: 10_000 });
    }
    younger = await openReplica();
    expect(await snapshotOf(younger.replica)).toBe(current);
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    for (const folder of folders) await folder.remove();
  });
  const snapshotOf = async ({ url }: Served) => (await ask(`${url}/ready`)).json<{ snapshot: string }>().snapshot;

  it("one that began to follow later lists the same, and has none of the files until it is asked", async () => {
    expect(generationsOf(younger.artifacts)).toHaveLength(1);
    const lists = await Promise.all(
      [originServer(), older.replica, younger.replica].map(({ url }) => ask(`${url}/v1/snapshots`)),
    );
    const [first] = lists.map((list) => list.json<SnapshotList>());
    expect(first?.length).toBeGreaterThan(3);
    expect(lists.map(({ text }) => text)).toEqual(lists.map(() => lists[0]?.text));
    expect(generationsOf(younger.artifacts)).toHaveLength(1);
  });

  it("every response about every one of them is the same: data, changes since, files, manifests", async () => {
    const all = (await ask(`${originServer().url}/v1/snapshots`)).json<SnapshotList>();
    for (const { generation, id, servedFrom } of all) {
      const { files } = (await ask(`${originServer().url}/v1/snapshots/${id}`)).json<OneSnapshot>();
      for (const path of [
        `/v1/snapshots/${id}`,
        `/v1/data/manifest.json?since=${id}`,
        `/v1/rest/changes?since=${id}`,
        `/v1/rest/grades/raw?asOf=${id}`,
        `/v1/rest/grades/aggregate?asOf=${encodeURIComponent(servedFrom)}&format=csv`,
        `/v1/data/${generation}-${id}/${files.at(-1)?.path}`,
      ]) {
        const answers = await Promise.all(
          [originServer(), older.replica, younger.replica].map(({ url }) => ask(url + path)),
        );
        const shown = answers.map(({ headers, raw, status }) => [path, status, headers.etag, raw.toString("base64")]);
        expect(shown.map(([, status]) => status)).toEqual([200, 200, 200]);
        expect(shown).toEqual(shown.map(() => shown[0]));
      }
    }
    expect(generationsOf(younger.artifacts)).toHaveLength(all.length);
    const none = [originServer(), older.replica, younger.replica].map(async ({ url }) => {
      const { status, text } = await ask(`${url}/v1/rest/week?asOf=${"0".repeat(16)}`);
      return [status, text.replaceAll(/"(?:requestId|timestamp)":"[^"]*"/g, "")];
    });
    expect(new Set((await Promise.all(none)).map(String)).size).toBe(1);
  });
});

describe("an earlier snapshot that does not come", () => {
  it("is a 503 while the origin fails or lies, and nothing stays of it; a 404 when the origin has removed it", async () => {
    const folder = await openFolder();
    const replica = await serve({ ARTIFACTS_DIR: folder.artifacts, FOLLOW_URL: way().url });
    const [, earlier, another] = (await ask(`${originServer().url}/v1/snapshots`)).json<SnapshotList>();
    const path = `/v1/rest/grades/raw?asOf=${earlier?.id}`;
    const asked = () => ask(replica.url + path);
    const here = () => readdirSync(join(folder.artifacts, "generations"));

    way().breakBy((_request, response) => !response.writeHead(500).end().closed);
    expect(await asked()).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    way().breakBy((request, response, body) => {
      if (!request.url?.endsWith(".parquet")) return false;
      return !response.end(Buffer.alloc(body.length)).closed;
    });
    expect((await asked()).status).toBe(503);
    way().breakBy((request, response, body) => {
      if (!request.url?.startsWith("/v1/snapshots/")) return false;
      const manifest = JSON.parse(body.toString()) as OneSnapshot;
      const files = manifest.files.map((file) => ({ ...file, path: `../../../${file.path}` }));
      return !response.end(JSON.stringify({ ...manifest, files })).closed;
    });
    expect((await asked()).status).toBe(503);
    expect(here()).toHaveLength(1);

    way().breakBy(undefined);
    expect((await asked()).status).toBe(200);
    expect(here()).toHaveLength(2);
    expect(readdirSync(join(folder.artifacts, "staging"))).toEqual([]);

    way().breakBy((request, response) => {
      if (!request.url?.startsWith("/v1/snapshots/")) return false;
      return !response.writeHead(404).end().closed;
    });
    const gone = await ask(`${replica.url}/v1/rest/grades/options?asOf=${another?.id}`);
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("No retained snapshot")]);
    await replica.close();
    await folder.remove();
  });
});
