/**
 * Real S3 stores: moto, versitygw and S3Mock, installed beside the engines, each started on a free port of loopback
 * with an empty bucket.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type RunningStore, s3Request, storeEnv } from "../support/s3/client.ts";
import { ENGINES, fetchArtifact, installer, installPackages } from "./install.ts";
import { S3MOCK, VERSITYGW } from "./versions.ts";

const START_LIMIT_MS = 60_000;
const CREDENTIALS = { accessKeyId: "AKIAENGINES", secretAccessKey: "a/secret+of=engines", region: "us-east-1" };

export interface InstalledStore {
  readonly name: string;
  readonly version: string;
  readonly start: () => Promise<StoreWithFolder>;
}

/**
 * `folder` is where versitygw and S3Mock store their objects: for versitygw, a folder for each bucket with a file for
 * each object.
 */
export type StoreWithFolder = RunningStore & { readonly folder: string };

type Command = (port: number, folder: string) => { command: string; args: string[]; env?: Record<string, string> };

const INSTALLATIONS = { versitygw: installVersitygw, moto: installMoto, S3Mock: installS3Mock };

/** Installs the stores of the wanted names; stores that cannot be installed are added to `missing`. */
export async function installStores(
  say: (line: string) => void,
  missing: string[],
  isWanted: (name: string) => boolean,
): Promise<InstalledStore[]> {
  const attempt = installer(say, missing);
  const stores: InstalledStore[] = [];
  for (const [name, install] of Object.entries(INSTALLATIONS)) {
    const store = isWanted(name) ? await attempt(name, install) : undefined;
    if (store) stores.push(store);
  }
  return stores;
}

async function installVersitygw(): Promise<InstalledStore> {
  const [, version = ""] = VERSITYGW.split("@v");
  const folder = join(ENGINES, `versitygw-${version}`);
  const command = join(folder, "versitygw");
  if (!existsSync(command))
    await promisify(execFile)("go", ["install", VERSITYGW], { env: { ...process.env, GOBIN: folder } });
  const { accessKeyId, secretAccessKey, region } = CREDENTIALS;
  return installed("versitygw", version, (port, folder) => ({
    command,
    args: ["--quiet", "--keep-alive", "--region", region, "--port", `127.0.0.1:${port}`, "posix", folder],
    env: { ROOT_ACCESS_KEY_ID: accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey },
  }));
}

async function installMoto(): Promise<InstalledStore> {
  const python = await installPackages(join(ENGINES, "venv-moto", "bin"), "requirements-moto");
  const { stdout } = await promisify(execFile)(python, ["-c", "import moto; print(moto.__version__)"]);
  const command = join(ENGINES, "venv-moto", "bin", "moto_server");
  return installed("moto", stdout.trim(), (port) => ({ command, args: ["-H", "127.0.0.1", "-p", String(port)] }));
}

async function installS3Mock(): Promise<InstalledStore> {
  const [, , version = ""] = S3MOCK.split(":");
  const jar = join(ENGINES, "dl", `s3mock-${version}-exec.jar`);
  if (!existsSync(jar)) await fetchArtifact(S3MOCK, join(ENGINES, "dl"));
  return installed("S3Mock", version, (port, folder) => {
    const settings = {
      "http.port": port,
      // HTTPS, which nothing here uses, on any free port.
      "server.port": 0,
      "server.address": "127.0.0.1",
      "com.adobe.testing.s3mock.store.root": folder,
    };
    const properties = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
    return { command: "java", args: [...properties, "-jar", jar] };
  });
}

function installed(name: string, version: string, command: Command): InstalledStore {
  return { name, version, start: () => startStore(name, command) };
}

async function startStore(name: string, toCommand: Command): Promise<StoreWithFolder> {
  const folder = await mkdtemp(join(tmpdir(), "academic-store-"));
  const port = await freePort();
  const { command, args, env } = toCommand(port, folder);
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let isOver = false;
  child.on("error", (error) => {
    output = error.message;
    isOver = true;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000)));
  const target = { url: `http://127.0.0.1:${port}`, bucket: "campus", credentials: CREDENTIALS };
  const close = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    const created = await s3Request(target, "PUT", "").catch(() => undefined);
    if (created?.status === 200) return { ...target, env: storeEnv(target), folder, close };
    if (limit.aborted || isOver || child.exitCode !== null || (created && created.status < 500)) {
      await close();
      throw new Error(`${name} did not start: ${created ? await created.text() : output}`);
    }
    await sleep(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
