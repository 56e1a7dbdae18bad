/**
 * The Model Context Protocol's conformance suite: against this server, and against tools that the suite prescribes,
 * served by the same code. Most of its scenarios test features that a data server does not have (sessions, resources,
 * prompts, sampling, log levels): those are expected to fail, and an unexpected success is a problem, like an
 * unexpected failure.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { H3 } from "h3";
import { listenOn } from "../../server/http/listening.ts";
import { serveProtocol } from "../../server/mcp/transport.ts";
import { serve } from "../support/whole-run.ts";
import { ENGINES } from "./install.ts";
import { CONFORMANCE } from "./versions.ts";

const run = promisify(execFile);
const FOLDER = join(ENGINES, "conformance");
const PROGRAM = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const OF_EVERY_SERVER = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
const OF_TOOLS = [
  ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
  ...["tools-call-mixed-content", "tools-call-error"],
];

export interface ConformanceResult {
  readonly server: string;
  readonly passed: readonly string[];
  /** The suite's own. */
  readonly output: string;
  readonly problem: string | undefined;
}

async function install(): Promise<void> {
  const installed = await readFile(join(PROGRAM, "../../package.json"), "utf8").catch(() => "{}");
  if (existsSync(PROGRAM) && (JSON.parse(installed) as { version?: string }).version === CONFORMANCE.split("@").at(-1))
    return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "package.json"), '{ "private": true }');
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", CONFORMANCE], { cwd: FOLDER });
}

const toModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
/** The suite imports `fs.globSync`, which came with Node 22; the command `server` does not call it. */
const WITH_GLOB = toModule(
  `import { register } from "node:module"; register(${JSON.stringify(
    toModule(`export const resolve = (name, context, next) => name === "fs" && context.parentURL.includes("/conformance/")
    ? { url: ${JSON.stringify(toModule('export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];'))}, shortCircuit: true }
    : next(name, context);`),
  )});`,
);

async function runSuite(server: string, url: string, expected: readonly string[]): Promise<ConformanceResult> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const node = (...args: string[]) =>
    run(process.execPath, ["--import", WITH_GLOB, PROGRAM, ...args], { cwd: folder, maxBuffer: 1 << 26 }).then(
      ({ stdout }) => ({ output: stdout, failed: false }),
      ({ stdout = "", stderr = "" }: { stdout?: string; stderr?: string }) => ({
        output: stdout + stderr,
        failed: true,
      }),
    );
  try {
    const listed = (await node("list", "--server")).output;
    const others = [...listed.matchAll(/^ {2}- ([\w-]+)/gm)].flatMap(([, name = ""]) =>
      expected.includes(name) ? [] : [name],
    );
    const baseline = join(folder, "expected.yml");
    await writeFile(baseline, `server:\n${others.map((name) => `  - ${name}\n`).join("")}`);
    const { output, failed } = await node("server", "--url", url, "--expected-failures", baseline);
    const passed = [...output.matchAll(/✓ ([\w-]+): [1-9]\d* passed, 0 failed/g)].map(([, name = ""]) => name);
    const missing = expected.filter((name) => !passed.includes(name));
    return {
      ...{ server, passed, output },
      problem: missing.length > 0 ? `not passed: ${missing.join(", ")}` : failed ? output.slice(-2000) : undefined,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = { type: "text", text: "This is a simple text response for testing." } as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const resource = {
  type: "resource",
  resource: { uri: "test://resource", mimeType: "text/plain", text: "text" },
} as const;
/** The tools that the suite prescribes. */
const PRESCRIBED: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [text] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  test_embedded_resource: { content: [resource] },
  test_multiple_content_types: { content: [text, image, resource] },
  test_error_handling: { content: [text], isError: true },
};

/** Serves only those tools, with the server's transport. */
async function servePrescribed() {
  const page = serveProtocol(() => {
    const server = new Server({ name: "prescribed tools", version: "1" }, { capabilities: { tools: {} } });
    const tools = Object.keys(PRESCRIBED).map((name) => ({
      name,
      description: name,
      inputSchema: { type: "object" as const },
    }));
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", ({ params }) => PRESCRIBED[params.name] ?? { content: [], isError: true });
    return server;
  }, false);
  const app = new H3({ silent: true }).all("/mcp", (event) => page({ event, requestId: "1" }));
  return listenOn(app, { host: "127.0.0.1", port: 0 });
}

/** @param env of a server with published data */
export async function runConformance(env: Record<string, string>): Promise<ConformanceResult[]> {
  await install();
  const { url, close } = await serve(env);
  const prescribed = await servePrescribed();
  try {
    return [
      await runSuite("this server", `${url}/mcp`, OF_EVERY_SERVER),
      await runSuite("prescribed tools", `${prescribed.url}/mcp`, [...OF_EVERY_SERVER, ...OF_TOOLS]),
    ];
  } finally {
    await prescribed.close();
    await close();
  }
}
