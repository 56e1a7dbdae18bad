/**
 * "`make doctor` ends with 1 whenever a server started now would not serve the published data": damages, each with the
 * doctor and with a real server.
 */
import { cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { layoutOf, nameOf } from "../../pipeline/store/layout.ts";
import { doctor } from "../../pipeline/run/commands/doctor.ts";
import { readServerConfig, serverSettings } from "../../pipeline/settings/server.ts";
import { checkServing } from "../../server/server.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { scratchDatabase } from "../pipeline/publish/scratch.ts";
import { flipByte, setCurrent, withObject } from "../server/snapshot/store-damages.ts";
import { someOf } from "../support/extent.ts";
import { openFolder, serve } from "../support/whole-run.ts";

interface Place {
  readonly artifacts: string;
  readonly manifest: Manifest;
}
/** The damage to the place, and additional variables. */
type Harm = (place: Place) => Promise<Record<string, string> | void>;

const database = await scratchDatabase(1);
const published = await openFolder();
beforeAll(async () => {
  const publisher = await openPublisher(published.artifacts, { rows: 5, database });
  await publisher.publish();
  await publisher.publish();
  publisher.close();
});
afterAll(() => published.remove());

const pointerOf = ({ artifacts }: Place) => layoutOf(artifacts).pointer;
/** The manifest of the current snapshot says this instead. */
const saying =
  (change: (manifest: Manifest) => object): Harm =>
  ({ artifacts, manifest }) =>
    setCurrent(artifacts, { ...manifest, ...change(manifest) });

/** A table has these bytes, whatever is listed of it, and the manifest says so. */
const consistently =
  (table: string, bytes: (place: Place) => Promise<Buffer>): Harm =>
  async (place) =>
    setCurrent(place.artifacts, await withObject(place.artifacts, place.manifest, table, await bytes(place)));

const IN_FILE: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "is missing": (path) => rm(path),
  "is cut off": (path) => truncate(path, 20),
  "is empty": (path) => truncate(path, 0),
  "is longer": (path) => writeFile(path, "more", { flag: "a" }),
  "has another byte": flipByte,
  "is a folder": async (path) => {
    await rm(path);
    await mkdir(path);
  },
  "is a link": async (path) => {
    await rename(path, `${path}.old`);
    await symlink(`${path}.old`, path);
  },
};

const HARMS: Readonly<Record<string, Harm>> = {
  nothing: async () => {},
  ...Object.fromEntries(
    Object.entries(IN_FILE).map(([what, harm], at): [string, Harm] => [
      `a file ${what}`,
      // Each damage affects a different file.
      async ({ artifacts, manifest: { files } }) =>
        void (await harm(join(artifacts, files[at % files.length]?.path ?? ""))),
    ]),
  ),
  "a file that is no Parquet, under its right hash": consistently("terms", async () => Buffer.from("nothing")),
  "a file of another table, under its right hash": consistently("departments", ({ artifacts, manifest }) =>
    readFile(join(artifacts, manifest.files.find(({ table }) => table === "terms")?.path ?? "")),
  ),
  "a manifest without a field": saying(() => ({ source: undefined })),
  "a manifest with one file less": saying(({ files }) => ({ files: files.slice(1) })),
  "a newer contract": saying(() => ({ contract: CONTRACT_VERSION + 1 })),
  "an older contract": saying(() => ({ contract: CONTRACT_VERSION - 1 })),
  "a freshness that is no JSON": ({ artifacts }) => writeFile(join(artifacts, "freshness.json"), "{"),
  "a file instead of the artifacts": async ({ artifacts }) => {
    await rm(artifacts, { recursive: true });
    await writeFile(artifacts, "");
  },
  "a port that another program has": async () => {
    const other = createServer((socket) => socket.end("220 mail\r\n")).listen(0, "127.0.0.1");
    await once(other, "listening");
    ending.push(async () => void other.close());
    return { PORT: String((other.address() as { port: number }).port) };
  },
  "a port on which another folder is served": async () => {
    const folder = await openFolder();
    const other = await serve(folder.env);
    ending.push(other.close, folder.remove);
    return { PORT: new URL(other.url).port };
  },
  "an address of another machine": async () => ({ HOST: "192.0.2.1" }),
  "a name that nobody has": async () => ({ HOST: "nowhere.invalid" }),
  "no port": async () => ({ PORT: "70000" }),
  "no path": async () => ({ BASE_PATH: "a b" }),
  "a path": async () => ({ BASE_PATH: "/academic" }),
  "no number": async () => ({ MAX_CONNECTIONS: "many" }),
  "the other mode": async () => ({ COMPAT: "1" }),
};
const ending: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ending) await end();
});

/** Faults of data that can be served: the next run fails on it, or its origin is unknown. */
const FAULTS_ALL_THE_SAME: Readonly<Record<string, Harm>> = {
  "no pointer": (place) => rm(pointerOf(place)),
  "a pointer that is no JSON": (place) => writeFile(pointerOf(place), "{"),
  "a pointer that is a folder": async (place) => {
    await rm(pointerOf(place));
    await mkdir(pointerOf(place));
  },
  "a freshness that is a folder": ({ artifacts }) => mkdir(join(artifacts, "freshness.json")),
  "a file that no manifest lists": ({ artifacts }) => writeFile(join(artifacts, "grades", "2020-.parquet"), ""),
  "no manifest beside the pointer": ({ artifacts, manifest }) =>
    rm(join(layoutOf(artifacts).snapshots, `${nameOf(manifest)}.json`)),
  "no link to the checkout": ({ artifacts }) => rm(layoutOf(artifacts).current),
  "a link elsewhere": async ({ artifacts }) => {
    await rm(layoutOf(artifacts).current);
    await symlink("/tmp", layoutOf(artifacts).current);
  },
  "a folder instead of the link": async ({ artifacts }) => {
    await rm(layoutOf(artifacts).current);
    await mkdir(layoutOf(artifacts).current);
  },
};

/** Its exit status. */
async function askDoctor(env: Record<string, string>): Promise<number> {
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const server = { settings: serverSettings, read: readServerConfig, tryServing: tryHere };
    return (await doctor(env, server)) ? 0 : 1;
  } catch {
    return 2;
  } finally {
    stdout.mockRestore();
  }
}
const tryHere = (env: Record<string, string | undefined>) =>
  checkServing(readServerConfig(env)).catch((error: unknown) => String(error));

/** A server, and a row of every table that it was asked for. */
async function isServed(env: Record<string, string>, id: string | undefined): Promise<boolean> {
  const server = await serve(env).catch(() => undefined);
  if (!server) return false;
  const asked = await Promise.all(
    ["/grades/raw", "/schedule/terms", "/schedule/depts"].map((path) => server.get(path)),
  );
  await server.close();
  return asked.every(({ status, headers }) => status === 200 && headers.get("x-data-snapshot") === id);
}

async function judge(harm: Harm) {
  const place = await openFolder();
  await cp(published.artifacts, place.artifacts, { recursive: true, verbatimSymlinks: true });
  const { manifest } = (await readCurrent(place.artifacts)) as PublishedSnapshot;
  const set = await harm({ artifacts: place.artifacts, manifest });
  const env = { ...place.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent", ...set };
  const status = await askDoctor(env);
  const served = await isServed(env, manifest.id);
  await place.remove();
  return { status, served };
}

it.for(someOf(Object.entries(HARMS), 14))(
  "%s: the doctor ends with 0 when a server serves it, and only then",
  async ([, harm]) => {
    const { served, status } = await judge(harm);
    expect({ served, isWell: status === 0 }).toEqual({ served, isWell: served });
  },
);

it.for(Object.entries(FAULTS_ALL_THE_SAME))("%s is a fault, although it is served", async ([, harm]) => {
  expect(await judge(harm)).toEqual({ served: true, status: 1 });
});
