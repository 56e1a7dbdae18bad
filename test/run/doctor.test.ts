/** `make doctor` as an operator calls it: a line for every fault with a remedy, nothing written, no secret shown. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCurrent } from "../../pipeline/store/published.ts";
import { backupFolderOf, layoutOf } from "../../pipeline/store/layout.ts";
import { NEEDED_NODE } from "../../pipeline/run/doctor/machine.ts";
import { someOf } from "../support/extent.ts";
import { HARMS } from "../support/published/damaged-base.ts";
import { start } from "../support/program.ts";
import { openS3Store } from "../support/s3/store.ts";
import { mayMount, mount, mountSmall, unmount } from "../support/small-disk.ts";
import { startUpstream, type Upstream } from "../support/upstream/upstream.ts";
import { openFolder, run, serve } from "../support/whole-run.ts";
import { inventedWorld } from "../support/worlds/worlds.ts";

const OWN_PORT = { HOST: "127.0.0.1", PORT: "0" };

async function doctor(env: Record<string, string>, cwd?: string) {
  const { code, out, err } = await start("pipeline/main.ts", ["doctor"], { ...OWN_PORT, ...env }, cwd).ended;
  const lines = out.trimEnd().split("\n");
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(?:ok {5}|note {3}|FAULT {2})\S/);
  expect(lines.at(-1)).toMatch(/^faults: \d+, notes: \d+$/);
  expect(err).not.toMatch(/\n {4}at /);
  const about = (words: string) => lines.filter((line) => line.includes(words));
  return { code, err, lines, about, faults: lines.filter((line) => line.startsWith("FAULT")) };
}

let upstream: Upstream;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  upstream = await startUpstream(inventedWorld.read());
  folder = await openFolder();
});
afterAll(async () => {
  await upstream?.close();
  await folder?.remove();
});

it("the Node that it asks for is that of package.json", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NEEDED_NODE}`);
});

it("an empty folder, nothing configured, no network needed: no fault, and nothing is written", async () => {
  const empty = mkdtempSync(join(tmpdir(), "doctor-"));
  const { code, faults, about } = await doctor({}, empty);
  expect([code, faults]).toEqual([0, []]);
  expect(about("nothing is published")).toEqual([expect.stringMatching(/^note .*`make serve` builds it/)]);
  expect(about("the sample campus is crawled")).toHaveLength(1);
  expect(readdirSync(empty)).toEqual([]);
  rmSync(empty, { recursive: true });
});

describe("variables", () => {
  it("invalid and misspelled ones are named, secrets are not shown, the other checks go on: status 2", async () => {
    const { code, err, lines, about, faults } = await doctor({
      ...folder.env,
      PORT: "99999",
      SCHEDULE_ULR: "x",
      AWS_SECRET_ACCESS_KEY: "hush-hush",
      AWS_SESSION_TOKEN: "hush-token",
      AWS_ACCESS_KEY_ID: "hush-id",
      RECORDS_URL: "http://user:hush-pass@127.0.0.1:1/x?key=hush-query",
    });
    expect([code, err]).toEqual([2, "invalid: PORT\n"]);
    expect(faults[0]).toMatch(/PORT must be a whole number from 0 to 65535, not "99999"\. Correct PORT or unset it/);
    expect(about("SCHEDULE_ULR")).toEqual([expect.stringMatching(/^note .*did you mean SCHEDULE_URL\?/)]);
    expect(about("AWS_SECRET_ACCESS_KEY is")).toEqual(["ok     AWS_SECRET_ACCESS_KEY is set"]);
    expect(about("nothing is published")).toHaveLength(1);
    expect(lines.join("\n") + err).not.toContain("hush");
  });
});

describe("the port", () => {
  it("another program listens there", async () => {
    const other = createServer((socket) => socket.end("220 mail\r\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, faults } = await doctor({ ...folder.env, PORT: String(port) });
    other.close();
    expect([code, faults]).toEqual([
      1,
      [`FAULT  port ${port}: another program listens there. Stop it, or set PORT to a free port`],
    ]);
  });
});

describe("addresses", () => {
  it("each is asked once; what a full crawl fetches, and how long it takes at the pause", async () => {
    upstream.reset();
    const { TERMS, ...pause } = { TERMS: "2017 Summer2", CRAWL_PAUSE_MS: "60000", CRAWL_CONCURRENCY: "1" };
    const { code, faults, about } = await doctor({ ...folder.env, ...upstream.urls, ...pause });
    expect([code, faults]).toEqual([0, []]);
    expect(upstream.requests.map(({ system }) => system).sort()).toEqual(
      ["calendar", "catalogue", "directory", "larc", "prerequisites", "records", "schedule"].sort(),
    );
    const [line = ""] = about("SCHEDULE_URL: ");
    const [, terms, departments, requests, hours] =
      /offers (\d+) terms and (\d+) departments \(answered in [\d.]+ s\); .* about (\d+) requests in ([\d.]+) h or more/
        .exec(line)
        ?.map(Number) ?? [];
    expect(terms).toBeGreaterThan(10);
    expect(requests).toBeGreaterThan((terms as number) * 10);
    expect(requests).toBeLessThan((terms as number) * ((departments as number) + 20));
    expect(Math.abs((hours as number) - (requests as number) / 60)).toBeLessThan(1);
    expect(about("the clock agrees")).toHaveLength(1);
    const [finding = ""] = (await doctor({ ...folder.env, ...upstream.urls, TERMS })).about("SCHEDULE_URL: ");
    expect(finding).toContain("terms, 1 of them in TERMS and");
  });

  it("a mistyped host, a port at which nobody listens, a page of another kind, a status", async () => {
    const { LARC_URL, RECORDS_URL } = upstream.urls;
    upstream.setFaults([{ match: { system: "records" }, status: 403 }]);
    const { code, about } = await doctor({
      ...folder.env,
      SCHEDULE_URL: "http://reg.campus.invalid/websoc?token=hush",
      CATALOGUE_URL: "http://127.0.0.1:9/",
      PREREQUISITES_URL: LARC_URL,
      RECORDS_URL,
    });
    upstream.setFaults([]);
    expect(code).toBe(1);
    expect(about("SCHEDULE_URL: ")).toEqual([
      "FAULT  SCHEDULE_URL: the host reg.campus.invalid is unknown. Check the spelling of SCHEDULE_URL, and the network",
    ]);
    expect(about("CATALOGUE_URL: ")).toEqual([
      expect.stringMatching(/^FAULT .*127\.0\.0\.1:9 refused the connection\. Check the spelling/),
    ]);
    expect(about("PREREQUISITES_URL: ")).toEqual([expect.stringMatching(/^FAULT .*Open the address in a browser/)]);
    expect(about("RECORDS_URL: ")).toEqual([expect.stringMatching(/^FAULT .*status 403\. Open the address/)]);
  });

  const clocks: [number, string][] = [
    [-2000, "the clock is 2000 minutes ahead of"],
    [10, "the clock is 10 minutes behind"],
  ];
  it.each(someOf(clocks, 1))("this computer's clock is off: theirs is %i minutes later", async (minutes, words) => {
    upstream.setClock(() => new Date(Date.now() + minutes * 60_000));
    const { LARC_URL, SCHEDULE_URL } = upstream.urls;
    const { code, faults } = await doctor({ ...folder.env, LARC_URL, SCHEDULE_URL });
    upstream.setClock();
    expect([code, faults]).toEqual([1, [expect.stringContaining(words)]]);
  });
});

describe("published data", () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    const { SCHEDULE_URL, CALENDAR_URL } = upstream.urls;
    env = { ...folder.env, SCHEDULE_URL, CALENDAR_URL, TERMS: "2017 Summer2" };
    expect((await run(env)).failed).toBe(false);
  });

  it("is sound, fresh and backed up; the server on the port is ours", async () => {
    const server = await serve(env);
    const { code, faults, about } = await doctor({ ...env, PORT: new URL(server.url).port });
    await server.close();
    expect([code, faults]).toEqual([0, []]);
    const { manifest } = (await readCurrent(folder.artifacts)) ?? {};
    expect(about(`port ${new URL(server.url).port}:`)).toEqual([
      expect.stringMatching(new RegExp(`^ok .*this service .*"ready", snapshot ${manifest?.id}`)),
    ]);
    expect(about("snapshot 1-")).toEqual([expect.stringContaining(`contract version ${manifest?.contract}`)]);
    expect(about("last refreshed")).toEqual([expect.stringMatching(/^ok /)]);
    expect(about("a server that starts now")).toEqual([expect.stringMatching(/^ok /)]);
    expect(about("of recorded history")).toEqual([expect.stringMatching(/^ok {5}1 backup/)]);
  });

  it("an overdue refresh, a lost backup file, a damaged file", async () => {
    const { freshness } = layoutOf(folder.artifacts);
    const kept = readFileSync(freshness, "utf8");
    writeFileSync(freshness, kept.replaceAll(/\d{4}(-\d\d-\d\dT[\d:.]+Z)/g, "2019$1"));
    const sources = join(backupFolderOf(folder.data), "sources");
    for (const name of readdirSync(sources)) truncateSync(join(sources, name), 1);
    const overdue = await doctor(env);
    expect(overdue.about("last refreshed")).toEqual([expect.stringMatching(/^note .*overdue.*`make watch`/)]);
    expect(overdue.faults).toEqual([expect.stringMatching(/^FAULT {2}backup of .*damaged or missing/)]);
    writeFileSync(freshness, kept);
    const current = await readCurrent(folder.artifacts);
    const [file, other] = current?.manifest.files ?? [];
    truncateSync(join(current?.folder ?? "", file?.path ?? ""), 1);
    // A fault that only a hash shows also prevents serving.
    HARMS["flipped"]?.(join(current?.folder ?? "", other?.path ?? ""));
    await mkdir(join(folder.artifacts, "grades/foreign"), { recursive: true });
    const { code, faults } = await doctor(env);
    expect([code, faults[0]]).toEqual([1, expect.stringContaining(`${file?.path} (1 bytes, not ${file?.bytes})`)]);
    expect(faults[0]).toContain(`${other?.path} (the content has another SHA-256)`);
    expect(faults[0]).toContain("foreign (not in the manifest)");
    expect(faults[0]).toContain("`make refresh` repairs what it can");
  });
});

describe("stores", () => {
  it("are only read", async () => {
    const store = await openS3Store();
    const places = { PUBLISH_TO: `s3://${store.bucket}/lake`, FOLLOW_URL: "http://origin.campus.invalid" };
    const { code, about } = await doctor({ ...folder.env, ...store.env, ...places });
    const methods = store.requests.map(({ method }) => method);
    await store.close();
    expect([code, methods]).toEqual([1, ["GET"]]);
    expect(about("PUBLISH_TO: ")).toEqual([expect.stringMatching(/^ok .*has no snapshot yet; the next run publishes/)]);
    expect(about("FOLLOW_URL: ")).toEqual([expect.stringContaining("the host origin.campus.invalid is unknown")]);
  });

  it("with a snapshot of a contract version that is refused are a fault", async () => {
    const lake = join(folder.data, "older-lake");
    await mkdir(lake, { recursive: true });
    const current = { id: "1".repeat(16), generation: 1, contract: 9, source: {} };
    writeFileSync(join(lake, "current.json"), JSON.stringify(current));
    const { code, about } = await doctor({ ...folder.env, PUBLISH_TO: lake });
    expect([code, about("PUBLISH_TO: ")]).toEqual([
      1,
      [expect.stringMatching(/^FAULT .*the snapshot in .*older-lake was written by .* from before its first release/)],
    ]);
    rmSync(lake, { recursive: true });
  });
});

describe.runIf(mayMount())("disks", () => {
  const root = mkdtempSync(join(tmpdir(), "doctor-disk-"));
  beforeAll(() => mountSmall(root));
  afterAll(() => {
    unmount(root);
    rmSync(root, { recursive: true });
  });

  it("one that is too small, and one that is read-only", async () => {
    const env = { ...folder.env, ARTIFACTS_DIR: join(root, "artifacts") };
    const small = await doctor(env);
    expect([small.code, small.faults]).toEqual([
      1,
      [expect.stringMatching(/ARTIFACTS_DIR: .*artifacts: 3\.1 MB free, a run needs about 200\.0 MB\. Make room/)],
    ]);
    await mkdir(join(root, "artifacts"));
    mount("-o", "remount,ro", root);
    const readOnly = await doctor(env);
    expect(readOnly.faults).toEqual([expect.stringMatching(/the file system is read-only\. Mount it writable/)]);
  });
});
