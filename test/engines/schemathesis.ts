/** schemathesis against the OpenAPI document: all checks, positive and negative data, in both modes of the server. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EXPLANATION_TYPE } from "../../server/response/explain/shape.ts";
import { serveCompiled } from "../support/compiled-server.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

export interface SchemathesisResult {
  readonly compat: string;
  /** The tool's own summary. */
  readonly summary: string;
  readonly problem: string | undefined;
}

const SCHEMAS = "#/components/schemas/";

/** The schema of a response of which `fields` leaves a part: no field is required. */
function toPart(schema: Json): Json {
  if (typeof schema === "string" && schema.startsWith(SCHEMAS))
    return `${SCHEMAS}PartOf${schema.slice(SCHEMAS.length)}`;
  if (Array.isArray(schema)) return schema.map(toPart);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== "required" || !Array.isArray(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, toPart(value)]));
}

/**
 * The document, except for two things that would make generated clients worse and that are documented in prose: an
 * empty value counts as absent, and `fields` leaves only a part. Rules between parameters are in api_rules.py.
 */
export function toTested(document: Json): Json {
  if (Array.isArray(document)) return document.map(toTested);
  if (typeof document !== "object" || document === null) return document;
  const copy = Object.fromEntries(Object.entries(document).map(([name, value]) => [name, toTested(value)]));
  const contents = copy["content"] as Record<string, { schema: Json }> | undefined;
  const json = contents?.["application/json"];
  if (json && contents && EXPLANATION_TYPE in contents) json.schema = { anyOf: [json.schema, toPart(json.schema)] };
  const { components } = copy as { components?: { schemas: { [name: string]: Json } } };
  for (const [name, schema] of Object.entries(components?.schemas ?? {}))
    if (components) components.schemas[`PartOf${name}`] = toPart(schema);
  const { schema } = copy as { schema?: { [name: string]: Json } };
  const empty = { type: "string", maxLength: 0 };
  if (copy["in"] === "query" && schema?.["type"] === "array")
    schema["items"] = { anyOf: [schema["items"] ?? {}, empty] };
  else if (copy["in"] === "query" && schema) {
    // All examples together would request only the upstream and no upstream.
    const tested = copy["name"] === "cache" ? { ...schema, examples: [true] } : schema;
    copy["schema"] = copy["required"] === true ? { minLength: 1, ...tested } : { anyOf: [tested, empty] };
  }
  return copy;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** @param examples at least so many requests, spread over the operations */
export async function runSchemathesis(
  { env, folder, bin }: { env: Record<string, string>; folder: string; bin: string },
  examples: number,
): Promise<SchemathesisResult[]> {
  const results: SchemathesisResult[] = [];
  for (const COMPAT of ["0", "1"]) {
    const server = await serveCompiled({ ...env, COMPAT });
    try {
      const document = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as { paths: Record<string, Json> };
      const path = join(folder, `openapi-${COMPAT}.json`);
      await writeFile(path, JSON.stringify(toTested(document as Json)));
      const each = String(Math.ceil(examples / Object.keys(document.paths).length));
      // Most violations of a list's form are valid lists with a single element, and are filtered out.
      const health = ["--suppress-health-check", "filter_too_much"];
      const checks = ["--checks", "all", "--mode", "all", "--generation-allow-x00", "false", ...health];
      const args = ["run", path, "--url", server.url, ...checks, "--max-examples", each, "--seed", "1", "--no-color"];
      const environment = { ...process.env, SCHEMATHESIS_HOOKS: "api_rules", PYTHONPATH: HERE };
      const ran = await promisify(execFile)(join(bin, "schemathesis"), args, {
        cwd: folder,
        env: environment,
        timeout: 3_000_000,
        maxBuffer: 1 << 28,
      });
      results.push({ compat: COMPAT, summary: summaryOf(ran.stdout), problem: undefined });
    } catch (error) {
      const { stdout = "", message } = error as Error & { stdout?: string };
      results.push({ compat: COMPAT, summary: summaryOf(stdout), problem: stdout.slice(-20_000) || message });
    } finally {
      server.close();
    }
  }
  return results;
}

/** Extracts a summary such as `12034 generated, 12034 passed`. */
function summaryOf(output: string): string {
  return (
    /^\s*(\d+ generated.*)$/m.exec(output)?.[1]?.trim() ??
    output.trim().split("\n").at(-1)?.replaceAll("=", "").trim() ??
    ""
  );
}
