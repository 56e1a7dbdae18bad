/**
 * The promises of server/README.md ("What is stable until when"), as a list of the current names in
 * `fixtures/stable.txt`: a removed name, or another type, fails. New names are allowed; `STABLE=write npx vitest run
 * --config test/vitest.config.ts test/stable.test.ts` adds them at a release.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { pipelineSettings } from "../pipeline/settings/pipeline.ts";
import { CONTRACT_VERSION, TABLES } from "../pipeline/contract/tables.ts";
import { duckdbType } from "../pipeline/contract/table.ts";
import { VIEWS } from "../pipeline/contract/views.ts";
import { PROTOCOL } from "../pipeline/lake/delta/actions.ts";
import { DUCKLAKE_VERSION } from "../pipeline/lake/ducklake/catalogue.ts";
import { NO_FRESHNESS } from "../pipeline/store/freshness.ts";
import { TOOLS } from "../server/mcp/tools.ts";
import { serverSettings } from "../pipeline/settings/server.ts";
import { toDocument } from "../server/docs/pages.ts";
import { plain } from "../server/modes.ts";
import { createMetrics } from "../server/telemetry/metrics.ts";
import type { OpenApiDocument, Operation } from "./support/documented.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FIXTURE = join(ROOT, "test/fixtures/stable.txt");

const CONTRACT = `contract ${CONTRACT_VERSION}`;

type Schema = Record<string, unknown>;
const document = toDocument(plain) as unknown as OpenApiDocument;

/** `[].schools.courses[].units: string`, a line for each field at any depth; a recursive schema is followed once. */
function fieldsOf(schema: Schema, at: string, seen: readonly string[] = []): string[] {
  const reference = schema["$ref"] as string | undefined;
  if (reference !== undefined) {
    const name = reference.split("/").at(-1) ?? "";
    if (seen.includes(name)) return [`${at}: ${name}`];
    return fieldsOf(document.components.schemas[name] as Schema, at, [...seen, name]);
  }
  const within = [
    ...Object.entries((schema["properties"] ?? {}) as Record<string, Schema>).flatMap(([name, of]) =>
      fieldsOf(of, `${at}.${name}`, seen),
    ),
    ...(schema["items"] === undefined ? [] : fieldsOf(schema["items"] as Schema, `${at}[]`, seen)),
    ...["anyOf", "oneOf", "allOf"].flatMap((kind) =>
      ((schema[kind] ?? []) as Schema[]).flatMap((of) => fieldsOf(of, at, seen)),
    ),
  ];
  // A schema that may have no field at all is an object too.
  const isFree = schema["type"] === "object" && "properties" in schema && schema["required"] === undefined;
  if (within.length > 0) return isFree ? [...within, `${at}: object`] : within;
  const type = schema["type"] ?? ("const" in schema ? "const" : "any");
  return [`${at}: ${Array.isArray(type) ? type.join("|") : String(type)}`];
}

function operations(): string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).flatMap(([method, { parameters, responses }]) => {
      const of = `${method.toUpperCase()} ${path}`;
      const { schema } = responses["200"]?.content?.["application/json"] ?? {};
      return [
        `path ${of}`,
        ...parameters.map(({ name, in: place }) => `parameter ${of} ${place} ${name}`),
        ...(schema ? fieldsOf(schema, "").map((field) => `field ${of} ${field}`) : []),
      ];
    }),
  );
}

async function metrics() {
  const made = createMetrics();
  const named = await made.registry.getMetricsAsJSON();
  const { text } = await made.render({
    ...{ id: undefined, generation: undefined, ageSeconds: 0, poolWaiting: 0, eventStreams: 0, requestsInFlight: 0 },
    ...{ lastRun: undefined, freshness: NO_FRESHNESS, now: new Date(), freeBytes: 0 },
  });
  return {
    metrics: named.map(({ name, type }) => `metric ${name} ${type}`),
    /** Includes names that stay for one release only. */
    served: [...text.matchAll(/^# TYPE (.+)$/gm)].map(([, line]) => `metric ${line}`),
  };
}

function commands(): string[] {
  const help = execFileSync(process.execPath, [join(ROOT, "dist/current/pipeline/main.js"), "--help"], {
    encoding: "utf8",
  });
  const listed = [...(help.split("Commands:")[1] ?? "").matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  const makefile = readFileSync(join(ROOT, "Makefile"), "utf8");
  const targets = [...makefile.matchAll(/^([a-z-]+):.*## /gm)].map(([, name]) => name);
  return [...listed.map((name) => `command ${name}`), ...targets.map((name) => `make ${name}`)];
}

async function today(): Promise<{ promised: string[]; served: string[] }> {
  const { metrics: named, served } = await metrics();
  const lines = [
    ...operations(),
    ...Object.keys(document.components.headers).map((name) => `header ${name}`),
    ...Object.keys({ ...serverSettings.shape, ...pipelineSettings.shape }).map((name) => `variable ${name}`),
    ...named,
    ...commands(),
    ...TOOLS.flatMap(({ name, params }) => [`tool ${name}`, ...params.map((param) => `tool ${name} ${param}`)]),
    `format Delta Lake ${PROTOCOL.minReaderVersion} ${PROTOCOL.minWriterVersion}`,
    `format DuckLake ${DUCKLAKE_VERSION}`,
    CONTRACT,
    ...Object.values(TABLES).flatMap(({ name, row }) =>
      Object.entries(row.shape).map(([column, of]) => `column ${name}.${column} ${duckdbType(of)}`),
    ),
    ...VIEWS.map(({ name }) => `view ${name}`),
  ];
  return { promised: [...new Set(lines)].sort(), served };
}

it("what was promised is there", async () => {
  const now = await today();
  if (process.env["STABLE"] === "write") writeFileSync(FIXTURE, `${now.promised.join("\n")}\n`);
  const promised = readFileSync(FIXTURE, "utf8").trimEnd().split("\n");
  expect(promised.length).toBeGreaterThan(500);
  // Columns are those of a contract version.
  const isPromised = (line: string) => promised.includes(CONTRACT) || !/^(?:contract|column) /.test(line);
  const there = new Set([...now.promised, ...now.served]);
  expect(promised.filter((line) => isPromised(line) && !there.has(line))).toEqual([]);
});
