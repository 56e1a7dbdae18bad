/** Caches of others before the server, with the least settings that they need. */
import { setTimeout as sleep } from "node:timers/promises";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ENGINES } from "./install.ts";
import { UNDICI } from "./versions.ts";
import { run, type Reply, type CacheProgram, opened, versionOf } from "./running-cache.ts";

const APACHE_MODULES = [
  ...["mpm_event", "authz_core", "proxy", "proxy_http", "cache", "cache_disk"].map((name) => [
    `${name}_module`,
    `/usr/lib/apache2/modules/mod_${name}.so`,
  ]),
];

const varnish = {
  name: "Varnish, built-in VCL",
  debian: "varnish",
  keepsVary: true,
  version: versionOf("varnishd", "-V"),
  open: opened(async ({ port, origin, folder }) => ({
    command: "varnishd",
    args: [
      ...["-F", "-j", "none", "-n", join(folder, "work"), "-a", `127.0.0.1:${port}`],
      ...["-b", `127.0.0.1:${origin}`, "-s", "malloc,64m"],
    ],
  })),
} satisfies CacheProgram;

const squid = {
  name: "Squid, accelerator",
  debian: "squid",
  keepsVary: true,
  version: versionOf("squid", "-v"),
  open: opened(async ({ port, origin, folder }) => {
    const config = join(folder, "squid.conf");
    await writeFile(
      config,
      `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1
cache_peer 127.0.0.1 parent ${origin} 0 no-query originserver
http_access allow all
cache_mem 64 MB
pid_filename ${folder}/pid
access_log none
cache_log ${folder}/cache.log
coredump_dir ${folder}
shutdown_lifetime 1 seconds
`,
    );
    return { command: "squid", args: ["-N", "-f", config] };
  }),
} satisfies CacheProgram;

const apache = {
  name: "Apache mod_cache",
  debian: "apache2",
  keepsVary: true,
  version: versionOf("apache2", "-v"),
  open: opened(async ({ port, origin, folder }) => {
    const config = join(folder, "apache.conf");
    await mkdir(join(folder, "cache"));
    await chmod(join(folder, "cache"), 0o777);
    await writeFile(
      config,
      `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
Listen 127.0.0.1:${port}
ErrorLog ${folder}/error.log
User www-data
Group www-data
${APACHE_MODULES.map(([name, path]) => `LoadModule ${name} ${path}`).join("\n")}
CacheRoot ${folder}/cache
CacheEnable disk /
AllowEncodedSlashes NoDecode
ProxyPass / http://127.0.0.1:${origin}/ nocanon
`,
    );
    return { command: "apache2", args: ["-DFOREGROUND", "-f", config] };
  }),
} satisfies CacheProgram;

const trafficServer = {
  name: "Traffic Server",
  debian: "trafficserver",
  keepsVary: true,
  version: versionOf("traffic_server", "--version"),
  open: opened(async ({ port, origin, folder }) => {
    const etc = join(folder, "etc");
    await cp("/etc/trafficserver", etc, { recursive: true });
    for (const name of ["run", "log", "cache"]) await mkdir(join(folder, name));
    const written: Readonly<Record<string, string>> = {
      "remap.config": `map / http://127.0.0.1:${origin}/\n`,
      "storage.config": `${folder}/cache 64M\n`,
      "records.config": [
        `CONFIG proxy.config.http.server_ports STRING ${port}:ipv4:ip-in=127.0.0.1`,
        "CONFIG proxy.config.http.cache.required_headers INT 2",
        // The rights of whoever runs it.
        "CONFIG proxy.config.admin.user_id STRING #-1",
        "",
      ].join("\n"),
    };
    for (const [name, text] of Object.entries(written)) await writeFile(join(etc, name), text);
    const places = {
      ...{ prefix: folder, exec_prefix: "/usr", bindir: "/usr/bin", sbindir: "/usr/sbin", sysconfdir: etc },
      ...{ datadir: `${folder}/cache`, includedir: "/usr/include", libdir: "/usr/lib/trafficserver" },
      ...{ libexecdir: "/usr/lib/trafficserver/modules", localstatedir: folder, runtimedir: `${folder}/run` },
      ...{ logdir: `${folder}/log`, cachedir: `${folder}/cache` },
    };
    const layout = join(folder, "runroot.yaml");
    await writeFile(
      layout,
      Object.entries(places)
        .map((place) => `${place.join(": ")}\n`)
        .join(""),
    );
    return { command: "traffic_server", args: [`--run-root=${layout}`] };
  }),
} satisfies CacheProgram;

/** The example of a release with its cache, for a host of its own. */
async function nginxExample(folder: string, origin: number): Promise<{ http: string; server: string }> {
  const text = await readFile(new URL("../../.setup/release/deploy/nginx.conf", import.meta.url), "utf8");
  const place = text
    .replaceAll("/academic/", "/")
    .replace("http://127.0.0.1:3000;", `http://127.0.0.1:${origin};`)
    .replaceAll("#cache ", "")
    .replace("/var/cache/nginx/academic-data", `${folder}/cache`);
  const [http = ""] = /proxy_cache_path.*;/.exec(place) ?? [];
  return { http, server: place.replace(http, "") };
}

const nginx = {
  name: "nginx proxy_cache",
  debian: "nginx",
  keepsVary: true,
  version: versionOf("nginx", "-v"),
  open: opened(async ({ port, origin, folder }) => {
    const config = join(folder, "nginx.conf");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const { http, server } = await nginxExample(folder, origin);
    await writeFile(
      config,
      `daemon off; pid ${folder}/pid; error_log stderr warn; events {}
http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
${http}
server { listen 127.0.0.1:${port};
${server} } }
`,
    );
    return { command: "nginx", args: ["-p", folder, "-c", config] };
  }),
} satisfies CacheProgram;

const haproxy = {
  name: "HAProxy",
  debian: "haproxy",
  keepsVary: false,
  version: versionOf("haproxy", "-v"),
  open: opened(async ({ port, origin, folder }) => {
    const config = join(folder, "haproxy.cfg");
    await writeFile(
      config,
      `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
cache academic_data
  total-max-size 64
  max-object-size 1000000
  max-age 3600
  process-vary on
frontend all
  bind 127.0.0.1:${port}
  http-request cache-use academic_data
  http-response cache-store academic_data
  default_backend server
backend server
  server one 127.0.0.1:${origin}
`,
    );
    return { command: "haproxy", args: ["-db", "-f", config] };
  }),
} satisfies CacheProgram;

/** The part of the package that is used here. */
interface Undici {
  readonly Agent: new () => { compose(interceptor: unknown): object };
  readonly interceptors: { cache(): unknown };
  request(
    url: string,
    options: object,
  ): Promise<{
    statusCode: number;
    headers: Reply["headers"];
    body: AsyncIterable<Buffer> & { destroy(): void };
  }>;
}

const undici = {
  name: "undici, cache interceptor",
  keepsVary: true,
  version: async () => UNDICI.split("@")[1] ?? "",
  async open(origin) {
    const folder = join(ENGINES, UNDICI);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "private": true }');
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", UNDICI], { cwd: folder });
    const { default: library } = (await import(pathToFileURL(join(folder, "node_modules/undici/index.js")).href)) as {
      default: Undici;
    };
    const dispatcher = new library.Agent().compose(library.interceptors.cache()) as { close(): Promise<void> };
    return {
      async get(path, headers = {}, isWhole = true) {
        const began = performance.now();
        const {
          statusCode,
          headers: received,
          body,
        } = await library.request(`http://127.0.0.1:${origin}${path}`, {
          dispatcher,
          headers,
        });
        const parts: Buffer[] = [];
        let firstMs = Infinity;
        for await (const part of body) {
          if (parts.push(part) === 1) firstMs = performance.now() - began;
          if (!isWhole) break;
        }
        return { status: statusCode, headers: received, body: Buffer.concat(parts), firstMs };
      },
      close: () => Promise.race([dispatcher.close(), sleep(1000)]),
    };
  },
} satisfies CacheProgram;

export const CACHES: readonly CacheProgram[] = [varnish, squid, apache, trafficServer, nginx, haproxy, undici];
