/** Servers as processes of their own, and nginx in front of them, as an operator would set it up. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { ask } from "../server/http/wire.ts";

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Undefined where it is not installed. */
export function findNginx(): string | undefined {
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

/** Starts nginx with one server of these lines; resolves when it gives `health` a 200. */
export async function openNginx(
  nginx: string,
  folder: string,
  http: string,
  server: string,
  health: string,
): Promise<Running> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; events {}
http { access_log off; ${temporary.join(" ")}
  ${http}
  server { listen 127.0.0.1:${port};
    ${server} } }`;
  await writeFile(join(folder, "nginx.conf"), config);
  const child = spawn(nginx, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    // It may add headers of its own.
    if ((await ask(url + health, { undocumented: true }).catch(() => undefined))?.status === 200) return { url, child };
    await sleep(50);
  }
  throw new Error("nginx does not answer");
}

/** It says in `X-Replica` which server answered. */
export const openBalancer = (nginx: string, folder: string, urls: readonly string[]): Promise<Running> =>
  openNginx(
    nginx,
    folder,
    `upstream replicas { ${urls.map((url) => `server ${new URL(url).host};`).join(" ")} keepalive 16; }`,
    `location / { proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; add_header X-Replica $upstream_addr always; }`,
    "/health",
  );

/** A server with these settings, such as `FOLLOW_URL`. */
export async function startReplica(
  own: Readonly<Record<string, string>>,
  program: readonly string[] = ["--import", "tsx", "server/main.ts"],
): Promise<Running> {
  const port = await freePort();
  const env = { ...process.env, HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "warn", ...own };
  const child = spawn(process.execPath, program, { env, stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries++) {
    if ((await ask(`${url}/ready`).catch(() => undefined))?.status === 200) return { url, child };
    await sleep(50);
  }
  throw new Error("a replica does not get ready");
}

export async function stop({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
