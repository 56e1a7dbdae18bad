/**
 * Third-party feed readers and event stream clients: each follows the changes of a server below a path and behind a
 * proxy. A feed leads to existing pages; a stream stays open when it is quiet, and passes through compressing proxies.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../support/balancer.ts";
import { serve } from "../support/whole-run.ts";
import { ENGINES, fetchArtifact, findProgram, installPackages } from "./install.ts";
import { clientsTable, FEED_RS, FOLLOWER_JARS, GOFEED, NPM_FOLLOWERS } from "./versions.ts";

const HERE = fileURLToPath(new URL("followers", import.meta.url));
const FOLDER = join(ENGINES, "followers");
const bin = join(FOLDER, "venv/bin");
const [npmFolder, goFolder, rustFolder] = ["npm", "go", "rust"].map((name) => join(FOLDER, name)) as [
  string,
  string,
  string,
];
const feedRs = join(rustFolder, "target/release/feed_rs_reader");
const QUIET_SECONDS = 15;
/** Within which a proxy passes on all that was missed. */
const PROXY_SECONDS = 10;
/** The host name by which clients know the service. */
const HOST = "data.example.edu";
const BASE = "/academic";

export interface FollowerResult {
  readonly follower: string;
  readonly kind: "feed" | "stream" | "proxy";
  readonly problem: string | undefined;
}

const run = async (cwd: string, command: string, args: readonly string[]) =>
  (await promisify(execFile)(command, args, { cwd, maxBuffer: 1 << 26 })).stdout;
const fileOf = (artifact: string) => join(FOLDER, `${artifact.split(":").slice(1, 3).join("-")}.jar`);
const java = (program: string, ...args: string[]) =>
  run(FOLDER, "java", ["-cp", FOLLOWER_JARS.map(fileOf).join(":"), join(HERE, program), ...args]);

async function install(): Promise<void> {
  for (const folder of [npmFolder, goFolder, join(rustFolder, "src")]) await mkdir(folder, { recursive: true });
  await installPackages(bin, "requirements-followers");
  for (const artifact of FOLLOWER_JARS) if (!existsSync(fileOf(artifact))) await fetchArtifact(artifact, FOLDER);
  await writeFile(join(npmFolder, "package.json"), '{"private":true,"type":"module"}');
  await run(npmFolder, "npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...NPM_FOLLOWERS]);
  for (const name of ["rss-parser", "feedsmith", "eventsource"])
    await copyFile(join(HERE, `${name}.mjs`), join(npmFolder, `${name}.mjs`));
  await writeFile(join(goFolder, "go.mod"), "module reader\ngo 1.24\n");
  await copyFile(join(HERE, "gofeed.go"), join(goFolder, "main.go"));
  await run(goFolder, "go", ["get", GOFEED]);
  const [crate, version] = FEED_RS.split("@");
  const manifest = `[package]\nname = "feed_rs_reader"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${crate} = "=${version}"\n`;
  await writeFile(join(rustFolder, "Cargo.toml"), manifest);
  await copyFile(join(HERE, "feed_rs.rs"), join(rustFolder, "src/main.rs"));
  await run(rustFolder, "cargo", ["build", "--release", "--quiet"]);
}

/** `rome 2.1.0`, as the table of clients names it. */
const withVersion = (name: string): string => {
  const [, version = ""] = new RegExp(`[ |]${name} ([^\\s,]+)`).exec(clientsTable()) ?? [];
  return `${name} ${version}`;
};

/**
 * Feed readers. Each gets the address of a feed, and prints its number of entries and the pages of the first entry and
 * of the feed.
 */
const READERS: Readonly<Record<string, (feed: string) => Promise<string>>> = {
  feedparser: (feed) => run(FOLDER, join(bin, "python"), [join(HERE, "feedparser_feed.py"), feed]),
  "rss-parser": (feed) => run(npmFolder, process.execPath, ["rss-parser.mjs", feed]),
  feedsmith: (feed) => run(npmFolder, process.execPath, ["feedsmith.mjs", feed]),
  gofeed: (feed) => run(goFolder, "go", ["run", ".", feed]),
  rome: (feed) => java("Rome.java", feed),
  async "feed-rs"(feed) {
    const child = spawn(feedRs, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.end(await (await fetch(feed)).text());
    let text = "";
    for await (const part of child.stdout) text += String(part);
    return text;
  },
};

/**
 * Stream clients. Each gets the address of a stream and a number of seconds, and prints the events that arrived by
 * then.
 */
const STREAM_CLIENTS: Readonly<Record<string, (stream: string, seconds: string) => Promise<string>>> = {
  "httpx-sse": (...args) => run(FOLDER, join(bin, "python"), [join(HERE, "httpx_sse_stream.py"), ...args]),
  "sseclient-py": (...args) => run(FOLDER, join(bin, "python"), [join(HERE, "sseclient_stream.py"), ...args]),
  eventsource: (...args) => run(npmFolder, process.execPath, ["eventsource.mjs", ...args]),
  "okhttp-sse": (...args) => java("OkHttpSse.java", ...args),
};

/** Proxies with compression: each is given the port of the server and one of its own. */
const PROXIES: Readonly<Record<string, (server: number, port: number) => Promise<readonly string[]>>> = {
  async caddy(server, port) {
    const file = join(FOLDER, "Caddyfile");
    const site = `http://127.0.0.1:${port} {\n encode gzip\n reverse_proxy 127.0.0.1:${server}\n}\n`;
    await writeFile(file, `{\n admin off\n}\n${site}`);
    return ["run", "--adapter", "caddyfile", "--config", file];
  },
  async nginx(server, port) {
    const file = join(FOLDER, "nginx.conf");
    const location = `proxy_pass http://127.0.0.1:${server}; proxy_http_version 1.1;`;
    const gzip = "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; access_log off;";
    await writeFile(
      file,
      `daemon off; error_log stderr; pid ${join(FOLDER, "nginx.pid")}; events {} http { ${gzip} server { listen 127.0.0.1:${port}; location / { ${location} } } }`,
    );
    return ["-p", FOLDER, "-c", file];
  },
};

/** Forwards requests, and tells the server the requested host, as a proxy does. */
async function openForwarder(server: number): Promise<{ url: string; close: () => void }> {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, "x-forwarded-host": HOST, "x-forwarded-proto": "https" };
    const options = { port: server, path: asked.url, headers };
    asked.pipe(
      forward(options, (response) => response.pipe(answer.writeHead(response.statusCode ?? 0, response.headers))),
    );
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() };
}

async function judgeFeed(text: string, server: string, entries: number): Promise<string | undefined> {
  const parsed = JSON.parse(text) as { entries: number; page: string; feed?: string };
  if (parsed.entries !== entries) return `${parsed.entries} entries, the feed has ${entries}`;
  for (const page of [parsed.page, parsed.feed ?? parsed.page]) {
    const address = `https://${HOST}${BASE}/`;
    if (!page.startsWith(address)) return `the page is ${page}, not below ${address}`;
    const answer = await fetch(`${server}${BASE}/${page.slice(address.length)}`, { headers: { Accept: "text/html" } });
    await answer.arrayBuffer();
    const type = answer.headers.get("content-type") ?? "";
    if (!answer.ok || !type.startsWith("text/html")) return `${page}: ${answer.status} ${type}`;
  }
  return undefined;
}

/** Reads a compressed stream until so many changes are there. */
async function throughProxy(url: string, changes: number): Promise<string | undefined> {
  const headers = { Accept: "text/event-stream", "Accept-Encoding": "gzip" };
  const abort = AbortSignal.timeout(PROXY_SECONDS * 1000);
  let count = 0;
  try {
    const { body } = await fetch(url, { headers, signal: abort });
    let text = "";
    for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split("\n\n");
      text = blocks.pop() ?? "";
      count += blocks.filter((block) => /^data: \{/m.test(block)).length;
      if (count >= changes) return undefined;
    }
  } catch (error) {
    if (!abort.aborted) throw error;
  }
  return `${count} of ${changes} changes within ${PROXY_SECONDS} seconds`;
}

/** @param env of a server with published changes */
export async function runFollowers(env: Record<string, string>): Promise<FollowerResult[]> {
  await install();
  const server = await serve({ ...env, BASE_PATH: BASE, TRUST_PROXY: "1" });
  const port = Number(new URL(server.url).port);
  const forwarder = await openForwarder(port);
  const results: FollowerResult[] = [];
  const judge = async (kind: FollowerResult["kind"], follower: string, action: () => Promise<string | undefined>) => {
    const problem = await action().catch((error: Error & { stderr?: string }) => error.stderr?.trim() || error.message);
    results.push({ kind, follower, problem: problem?.slice(-400) });
  };
  try {
    const changes = `${BASE}/v1/rest/changes`;
    const feed = `${forwarder.url}${changes}?format=atom&limit=50`;
    const entries = (await (await fetch(feed)).text()).match(/<entry>/g)?.length ?? 0;
    for (const [name, read] of Object.entries(READERS))
      await judge("feed", withVersion(name), async () => judgeFeed(await read(feed), server.url, entries));
    const since = `${changes}?since=2000-01-01&kind=status`;
    const counted = await fetch(`${server.url}${since}&limit=1`);
    const expected = {
      changes: Number(counted.headers.get("x-total-count")),
      snapshots: [counted.headers.get("x-data-snapshot")],
    };
    if (entries === 0 || expected.changes === 0) throw new Error("there are no changes to follow");
    for (const [name, follow] of Object.entries(STREAM_CLIENTS))
      await judge("stream", withVersion(name), async () => {
        const output = (await follow(`${forwarder.url}${since}`, String(QUIET_SECONDS))).trim();
        return JSON.stringify(JSON.parse(output)) === JSON.stringify(expected) ? undefined : output;
      });
    for (const [name, configure] of Object.entries(PROXIES))
      await judge("proxy", name, async () => {
        const own = await freePort();
        const child = spawn(await findProgram(name, name), await configure(port, own), { stdio: "ignore" });
        try {
          for (let tries = 0; tries < 100; tries++, await sleep(100))
            if (
              await fetch(`http://127.0.0.1:${own}/health`).then(
                ({ ok }) => ok,
                () => false,
              )
            )
              break;
          return await throughProxy(`http://127.0.0.1:${own}${since}`, expected.changes);
        } finally {
          child.kill();
        }
      });
    return results;
  } finally {
    forwarder.close();
    await server.close();
  }
}
