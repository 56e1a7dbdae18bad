/** "`make doctor` ends with 1 whenever a server started now would not serve the published data": damages, each with the doctor and with a real server. */
import { cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import { generationFolder, readCurrentName } from "../../pipeline/generations/generation.ts";
import { generationName } from "../../pipeline/generations/layout.ts";
import { snapshotId } from "../../pipeline/generations/snapshot-id.ts";
import { doctor } from "../../pipeline/run/commands/doctor.ts";
import { readServerConfig, serverSettings } from "../../pipeline/settings/server.ts";
import { checkServing } from "../../server/server.ts";
import { openPublisher } from "../pipeline/publish/publisher.ts";
import { scratchDatabase } from "../pipeline/publish/scratch.ts";
import { someOf } from "../support/extent.ts";
import { openFolder, serve } from "../support/whole-run.ts";

interface Place {
  readonly artifacts: string;
  /** The folder of the generation in service. */
  readonly folder: string;
  readonly manifest: Manifest;
}
/** What it does to the place, and what is set besides. */
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

const write = (folder: string, manifest: object) => writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));

/** A file of this table, whatever is listed of it, becomes this, and the manifest says so. */
const consistently =
  (table: string, bytes: (place: Place) => Promise<Buffer>): Harm =>
  async (place) => {
    const { artifacts, folder, manifest } = place;
    const content = await bytes(place);
    const files = manifest.files.map((file) => ({ ...file }));
    const file = files.find((one) => one.table === table);
    if (!file) throw new Error(`no file of ${table}`);
    const sha256 = createHash("sha256").update(content).digest("hex");
    Object.assign(file, { bytes: content.length, sha256 });
    await writeFile(join(folder, file.path), content);
    const id = snapshotId(files, manifest.changesBefore);
    const name = generationName(manifest.generation, id);
    await write(folder, { ...manifest, id, files });
    await rename(folder, generationFolder(artifacts, name));
    await rm(join(artifacts, "current"));
    await symlink(`generations/${name}`, join(artifacts, "current"));
  };

const IN_FILE: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "is missing": (path) => rm(path),
  "is cut off": (path) => truncate(path, 20),
  "is empty": (path) => truncate(path, 0),
  "is longer": (path) => writeFile(path, "more", { flag: "a" }),
  "has another byte": async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 255;
    await writeFile(path, bytes);
  },
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
      // Each damage meets another file.
      async ({ folder, manifest: { files } }) => void (await harm(join(folder, files[at % files.length]?.path ?? ""))),
    ]),
  ),
  "a file that is no Parquet, under its right hash": consistently("terms", async () => Buffer.from("nothing")),
  "a file of another table, under its right hash": consistently("departments", ({ folder, manifest }) =>
    readFile(join(folder, manifest.files.find(({ table }) => table === "terms")?.path ?? "")),
  ),
  "a manifest that is no JSON": ({ folder }) => writeFile(join(folder, "manifest.json"), "{"),
  "no manifest": ({ folder }) => rm(join(folder, "manifest.json")),
  "a manifest that is a folder": async ({ folder }) => {
    await rm(join(folder, "manifest.json"));
    await mkdir(join(folder, "manifest.json"));
  },
  "a manifest without a field": ({ folder, manifest }) => write(folder, { ...manifest, source: undefined }),
  "a manifest of another generation": ({ folder, manifest }) => write(folder, { ...manifest, generation: 99 }),
  "a manifest with one file less": ({ folder, manifest }) =>
    write(folder, { ...manifest, files: manifest.files.slice(1) }),
  "a newer contract": ({ folder, manifest }) => write(folder, { ...manifest, contract: 10 }),
  "a contract from before the first release": ({ folder, manifest }) => write(folder, { ...manifest, contract: 9 }),
  "an older contract": ({ folder, manifest }) => write(folder, { ...manifest, contract: CONTRACT_VERSION - 1 }),
  "a link to nothing": ({ folder }) => rm(folder, { recursive: true }),
  "no link": ({ artifacts }) => rm(join(artifacts, "current")),
  "a link elsewhere": async ({ artifacts }) => {
    await rm(join(artifacts, "current"));
    await symlink("/tmp", join(artifacts, "current"));
  },
  "a folder instead of the link": async ({ artifacts, folder }) => {
    await rm(join(artifacts, "current"));
    await cp(folder, join(artifacts, "current"), { recursive: true });
  },
  "a file instead of the generations": async ({ artifacts }) => {
    await rm(join(artifacts, "generations"), { recursive: true });
    await writeFile(join(artifacts, "generations"), "");
  },
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

/** What is served, and is wrong all the same: the next run fails on it, or nobody knows where it is from. */
const FAULTS_ALL_THE_SAME: Readonly<Record<string, Harm>> = {
  "a freshness that is a folder": ({ artifacts }) => mkdir(join(artifacts, "freshness.json")),
  "a file that no manifest lists": ({ folder }) => writeFile(join(folder, "grades", "2020-.parquet"), ""),
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
  const folder = generationFolder(place.artifacts, (await readCurrentName(place.artifacts)) ?? "");
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
  const set = await harm({ artifacts: place.artifacts, folder, manifest });
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
