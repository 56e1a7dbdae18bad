/** Three replicas behind a balancer follow one origin: every answer is equal, and a swap reaches all of them within five seconds. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve, openFolder } from "../support/whole-run.ts";
import { gradeRow } from "../pipeline/publish/scratch.ts";
import { publishRows } from "../support/published/published.ts";
import { ask } from "../server/http/wire.ts";

const REPLICAS = 3;
const SWAPS = 10;
const QUESTIONS = [
  "/v1/rest/grades/raw",
  "/v1/rest/grades/aggregate?department=DANCE",
  "/v1/rest/grades/aggregateByOffering",
  "/v1/rest/grades/raw?format=csv",
  "/v1/rest/grades/aggregateByCourse?format=parquet",
  "/v1/data/manifest.json",
];

const nginx = findNginx();
if (!nginx) process.stdout.write("skipped: nginx is not installed\n");

function findNginx(): string | undefined {
  for (const name of ["nginx", "/usr/sbin/nginx"]) {
    try {
      execFileSync(name, ["-v"], { stdio: "ignore" });
      return name;
    } catch {
      // Not there.
    }
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

/** nginx in front of the replicas, as an operator would set it up; it says which of them answered. */
async function openBalancer(folder: string, urls: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; events {}
http { access_log off; ${temporary.join(" ")}
  upstream replicas { ${urls.map((url) => `server ${new URL(url).host};`).join(" ")} keepalive 16; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; add_header X-Replica $upstream_addr always; } } }`;
  await writeFile(join(folder, "nginx.conf"), config);
  const child = spawn(nginx ?? "", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    // It adds a header of its own.
    if ((await ask(`${url}/health`, { undocumented: true }).catch(() => undefined))?.status === 200)
      return { url, child };
    await sleep(50);
  }
  throw new Error("nginx does not answer");
}

/** A server as a process of its own. */
async function startReplica(artifacts: string, origin: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const env = {
    ...process.env,
    ARTIFACTS_DIR: artifacts,
    FOLLOW_URL: origin,
    HOST: "127.0.0.1",
    PORT: String(port),
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, ["--import", "tsx", "server/main.ts"], { env, stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries++) {
    if ((await ask(`${url}/ready`).catch(() => undefined))?.status === 200) return { url, child };
    await sleep(50);
  }
  throw new Error("a replica does not get ready");
}

const rows = (stamp: number) =>
  Array.from({ length: 3000 }, (_, n) =>
    gradeRow({ sectionCode: String(10_000 + n), department: n % 2 ? "DANCE" : "MUSIC", gradeACount: stamp }),
  );

test.skipIf(!nginx)("every answer equal, one swap reaching all within 5 seconds", async () => {
  const folders = await Promise.all(Array.from({ length: REPLICAS + 2 }, () => openFolder()));
  const [origin, balanced, ...own] = folders as [(typeof folders)[0], (typeof folders)[0], ...typeof folders];
  const { id: first } = await publishRows(origin.artifacts, { grades: rows(0) });
  const server = await serve(origin.env);
  const replicas = await Promise.all(own.map(({ artifacts }) => startReplica(artifacts, server.url)));
  const balancer = await openBalancer(
    balanced.data,
    replicas.map(({ url }) => url),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  /** Snapshot and stamp of one answer through the balancer; the two must fit. */
  const stampOf = new Map([[first, 0]]);
  const seen = { answers: 0, failed: 0, mixed: 0, replicas: new Set<string>() };
  let over = false;
  async function reader(): Promise<void> {
    while (!over) {
      await new Promise<void>((resolve) => {
        const asked = request(`${balancer.url}/v1/rest/grades/aggregate?department=DANCE`, { agent }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            seen.answers++;
            seen.replicas.add(String(response.headers["x-replica"]));
            if (response.statusCode !== 200) seen.failed++;
            else {
              const { gradeDistribution } = JSON.parse(Buffer.concat(parts).toString()) as {
                gradeDistribution: { gradeACount: number };
              };
              const stamp = stampOf.get(String(response.headers["x-data-snapshot"]));
              if (gradeDistribution.gradeACount !== 1500 * (stamp ?? Number.NaN)) seen.mixed++;
            }
            resolve();
          });
        });
        asked.on("error", () => {
          seen.failed++;
          resolve();
        });
        asked.end();
      });
    }
  }

  try {
    const readers = Promise.all([reader(), reader(), reader(), reader()]);
    const reached: number[] = [];
    for (let swap = 1; swap <= SWAPS; swap++) {
      // Known before the first answer can show it: the id is that of the content.
      const scratch = await openFolder();
      stampOf.set((await publishRows(scratch.artifacts, { grades: rows(swap) })).id, swap);
      await scratch.remove();
      const { id } = await publishRows(origin.artifacts, { grades: rows(swap) });
      const flipped = performance.now();
      const waiting = new Set(replicas.map(({ url }) => url));
      while (waiting.size > 0 && performance.now() - flipped < 30_000) {
        for (const url of waiting)
          if ((await ask(`${url}/ready`)).json<{ snapshot: string }>().snapshot === id) waiting.delete(url);
        await sleep(20);
      }
      reached.push(Math.round(performance.now() - flipped));
      for (const question of QUESTIONS) {
        const answers = await Promise.all([server, ...replicas].map(({ url }) => ask(`${url}${question}`)));
        const kinds = new Set(
          answers.map(({ status, headers, raw }) => `${status} ${headers.etag} ${raw.toString("base64")}`),
        );
        expect([question, kinds.size]).toEqual([question, 1]);
      }
    }
    over = true;
    await readers;
    const { replicas: answered, ...counts } = seen;
    process.stdout.write(
      `${JSON.stringify({ ...counts, replicas: answered.size, swaps: SWAPS, mostMs: Math.max(...reached), reached })}\n`,
    );
    expect({ failed: seen.failed, mixed: seen.mixed, replicas: answered.size }).toEqual({
      failed: 0,
      mixed: 0,
      replicas: REPLICAS,
    });
    expect(Math.max(...reached)).toBeLessThan(5_000);
  } finally {
    over = true;
    agent.destroy();
    for (const { child } of [balancer, ...replicas]) {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    }
    await server.close();
    for (const folder of folders) await folder.remove();
  }
});
