/**
 * "Replicas behind a load balancer respond alike", whatever their age and origin: earlier snapshots that a replica
 * lacks come from its origin on demand.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ServedManifest } from "../../../pipeline/contract/documents/served-manifest.ts";
import type { SnapshotList } from "../../../server/data/snapshots.ts";
import { ask } from "../../server/http/wire.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { followOrigin } from "./followed-origin.ts";
import { type Kind, KINDS, openPlaces } from "./places.ts";
import type { Fault, Way } from "./way.ts";

const { origin, originServer, publishAtOrigin } = followOrigin({ derive: true });

/** The requests about each snapshot. */
const QUESTIONS: Readonly<Record<string, (snapshot: SnapshotList[number], files: ServedManifest["files"]) => string>> =
  {
    "its manifest": ({ id }) => `/v1/snapshots/${id}`,
    "the files changed since": ({ id }) => `/v1/data/manifest.json?since=${id}`,
    "the changes since": ({ id }) => `/v1/rest/changes?since=${id}`,
    "rows by id": ({ id }) => `/v1/rest/grades/raw?asOf=${id}`,
    "rows by time": ({ servedFrom }) => `/v1/rest/grades/aggregate?asOf=${encodeURIComponent(servedFrom)}&format=csv`,
    "where rows come from": ({ id }) => `/v1/rest/grades/aggregate?asOf=${id}&explain=true`,
    "a file": ({ generation, id }, files) => `/v1/data/${generation}-${id}/${files.at(-1)?.path}`,
  };

const MANIFEST = /\/v1\/snapshots\/\w+$|\/snapshots\/[^/]+\.json$/;
const FILE = /\.parquet$/;
const LIST = /\/v1\/snapshots$|\/current\.json$/;

/** An answer, where the request is for such a key. */
const to =
  (keys: RegExp, answer: (...of: Parameters<Fault>) => unknown): Fault =>
  (request, response, body) => {
    if (!keys.test((request.url ?? "").split("?")[0] ?? "")) return false;
    answer(request, response, body);
    return true;
  };
const status = (keys: RegExp, code: number): Fault => to(keys, (_request, response) => response.writeHead(code).end());
const instead = (keys: RegExp, change: (body: Buffer) => string | Buffer): Fault =>
  to(keys, (_request, response, body) => response.end(change(body)));

/** The origin's faults while an earlier snapshot is requested. */
const UNREADY: Readonly<Record<string, Fault>> = {
  "everything fails": status(/./, 500),
  "its credentials are out of date": status(/./, 403),
  "a file is not there yet": status(FILE, 404),
  "a file is another": instead(FILE, (body) => Buffer.alloc(body.length)),
  "a file is cut off": instead(FILE, (body) => body.subarray(0, 99)),
  "the manifest is cut off": instead(MANIFEST, (body) => body.subarray(0, 99)),
  "the manifest leads elsewhere": instead(MANIFEST, (body) =>
    body.toString().replaceAll(/"path": ?"/g, '"path":"../../'),
  ),
};

type Served = Awaited<ReturnType<typeof serve>>;
interface Replica {
  readonly server: Served;
  /** The snapshots that are here, without asking the origin. */
  snapshots(): string[];
  staging(): string[];
  close(): Promise<void>;
}

let opened: Awaited<ReturnType<typeof openPlaces>>;
const older = new Map<Kind, Replica>();
let current: string;

async function openReplica(kind: Kind): Promise<Replica> {
  const { artifacts, remove } = await openFolder();
  const server = await serve({ ARTIFACTS_DIR: artifacts, ...opened.places[kind].env });
  return {
    server,
    snapshots: () => readdirSync(join(artifacts, "snapshots")),
    staging: () => readdirSync(join(artifacts, "staging")),
    async close() {
      await server.close();
      await remove();
    },
  };
}
const snapshotOf = async ({ server }: Replica) =>
  (await ask(`${server.url}/ready`)).json<{ snapshot: string }>().snapshot;
const listed = async () => (await ask(`${originServer().url}/v1/snapshots`)).json<SnapshotList>();

beforeAll(async () => {
  opened = await openPlaces(origin().artifacts, originServer().url);
  await opened.publish();
  for (const kind of KINDS) older.set(kind, await openReplica(kind));
  for (const count of [60, 61]) {
    current = await publishAtOrigin(count);
    await opened.publish();
    for (const [kind, origin] of older)
      await vi.waitFor(async () => expect([kind, await snapshotOf(origin)]).toEqual([kind, current]), {
        timeout: 10_000,
      });
  }
}, 60_000);
afterAll(async () => {
  for (const origin of older.values()) await origin.close();
  await opened?.close();
});

describe.each(KINDS)("of %s", (kind) => {
  let younger: Replica;
  beforeAll(async () => {
    younger = await openReplica(kind);
    expect(await snapshotOf(younger)).toBe(current);
  });
  afterAll(() => younger?.close());
  const all = () => [originServer(), older.get(kind)?.server as Served, younger.server];

  it("one that began to follow later lists the same, and has none of the files until it is asked", async () => {
    expect(younger.snapshots()).toHaveLength(1);
    const lists = await Promise.all(all().map(({ url }) => ask(`${url}/v1/snapshots`)));
    expect(lists[0]?.json<SnapshotList>()).toHaveLength(3);
    expect(lists.map(({ text }) => text)).toEqual(lists.map(() => lists[0]?.text));
    expect(younger.snapshots()).toHaveLength(1);
  });

  /** Nothing is between a replica and a folder. */
  const way = () => opened.places[kind].way as Way;
  const hasWay = kind !== "a folder";

  it.runIf(hasWay).each(Object.entries(UNREADY))(
    "an earlier snapshot is a 503 while %s, and nothing stays of it",
    async (_what, fault) => {
      const [, earlier] = await listed();
      way().breakBy(fault);
      const answer = await ask(`${younger.server.url}/v1/rest/grades/raw?asOf=${earlier?.id}`);
      way().breakBy(undefined);
      expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
      expect(younger.snapshots()).toHaveLength(1);
    },
  );

  it("every response about every one of them is the same", async () => {
    const snapshots = await listed();
    for (const snapshot of snapshots) {
      const { files } = (await ask(`${originServer().url}/v1/snapshots/${snapshot.id}`)).json<ServedManifest>();
      for (const [question, pathOf] of Object.entries(QUESTIONS)) {
        const answers = await Promise.all(all().map(({ url }) => ask(url + pathOf(snapshot, files))));
        const shown = answers.map(({ headers, raw, status: code }) => [question, code, headers.etag, withoutIds(raw)]);
        expect(shown.map(([, code]) => code)).toEqual([200, 200, 200]);
        expect(shown).toEqual(shown.map(() => shown[0]));
      }
    }
    expect(younger.snapshots()).toHaveLength(snapshots.length);
    expect(younger.staging()).toEqual([]);
    const none = all().map(async ({ url }) => {
      const { status: code, raw } = await ask(`${url}/v1/rest/week?asOf=${"0".repeat(16)}`);
      return [code, withoutIds(raw)];
    });
    expect(new Set((await Promise.all(none)).map(String)).size).toBe(1);
  });

  it.runIf(hasWay)("one that the origin has removed is a 404", async () => {
    const another = await openReplica(kind);
    const [, , earlier] = await listed();
    const missing = kind === "a static host" ? 403 : 404;
    way().breakBy((...of) => {
      if (status(MANIFEST, missing)(...of)) return true;
      return instead(LIST, (body) => body.toString().replaceAll(earlier?.id ?? "", "0".repeat(16)))(...of);
    });
    const gone = await ask(`${another.server.url}/v1/rest/grades/options?asOf=${earlier?.id}`);
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("No retained snapshot")]);
    way().breakBy(undefined);
    await another.close();
  });
});

const withoutIds = (raw: Buffer): string => raw.toString("latin1").replaceAll(/"(?:requestId|timestamp)":"[^"]*"/g, "");
