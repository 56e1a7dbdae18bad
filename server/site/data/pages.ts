/** `/v1/data`: the published files; `/v1/snapshots`: the retained generations of them. */
import { basename } from "node:path";
import { type H3Event, HTTPResponse } from "h3";
import { BULK_BASE, BULK_MANIFEST, toBulkManifest } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { commonHeaders, IMMUTABLE } from "../../response/headers.ts";
import type { PageRequest, Pages } from "../page.ts";
import { filesMissing, nothingServed, Problem, shown } from "../../response/problem.ts";
import type { Store } from "../../snapshot/store.ts";
import { readRange, streamFile } from "./file-range.ts";
import { isNotModified, sendJson } from "./json-response.ts";
import { type RetainedGeneration, openRetained, openPublished } from "./retained-generations.ts";
import { createSnapshots } from "./snapshots.ts";

export const PARQUET_TYPE = "application/vnd.apache.parquet";
/** Alias of the generation in service. */
const CURRENT = "current";

const SEE_MANIFEST = `${BULK_MANIFEST} lists all available files.`;

export function createBulk({ store, artifactsDir }: { store: Store; artifactsDir: string }): Pages {
  const retained = openRetained(artifactsDir);

  const currentGeneration = () => {
    const snapshot = store.current();
    if (snapshot) return snapshot.generation;
    throw nothingServed(store.mismatch());
  };

  const sendManifest = (request: PageRequest): Promise<HTTPResponse> => {
    const { folder, manifest } = currentGeneration();
    // A refresh without changes updates only the freshness.
    return sendJson(request, manifest.id, toBulkManifest(basename(folder), manifest, store.freshness()));
  };

  const isServed = (name: string) => [CURRENT, basename(currentGeneration().folder)].includes(name);

  async function findGeneration(name: string): Promise<RetainedGeneration> {
    const found = await retained.find(name === CURRENT ? basename(currentGeneration().folder) : name);
    if (found) return found;
    if (isServed(name)) throw filesMissing();
    throw new Problem(404, `The generation ${shown(name)} is not retained, or never existed. ${SEE_MANIFEST}`);
  }

  async function sendFile({ event, requestId }: PageRequest): Promise<HTTPResponse> {
    const [name = "", ...rest] = readPath(event);
    const generation = await findGeneration(name);
    const file = generation.files.get(rest.join("/"));
    if (!file) throw new Problem(404, `The generation ${shown(name)} has no such file. ${SEE_MANIFEST}`);
    const ETag = `"${file.sha256}"`;
    const modified = Date.parse(generation.manifest.createdAt);
    const headers = {
      ...commonHeaders(requestId),
      "Content-Type": PARQUET_TYPE,
      "X-Data-Snapshot": generation.manifest.id,
      "Cache-Control": name === CURRENT ? "no-cache" : IMMUTABLE,
      ETag,
      "Last-Modified": new Date(modified).toUTCString(),
      "Accept-Ranges": "bytes",
      "Repr-Digest": `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`,
    };
    if (isNotModified(event, ETag, modified)) return new HTTPResponse(null, { status: 304, headers });

    const { bytes: size } = file;
    const range = rangeOf(event, file);
    if (range === "unsatisfiable")
      throw new Problem(416, `The file has ${size} bytes; the range contains none of them.`, {
        "Accept-Ranges": "bytes",
        "Content-Range": `bytes */${size}`,
      });
    const sent = range === "whole" ? { first: 0, last: size - 1 } : range;
    const sized = {
      ...headers,
      "Content-Length": String(sent.last + 1 - sent.first),
      ...(range === "whole" ? {} : { "Content-Range": `bytes ${sent.first}-${sent.last}/${size}` }),
    };
    const opened = await openPublished(generation, file);
    if (!opened && isServed(name)) throw filesMissing();
    if (!opened) throw new Problem(404, `This file of the generation ${shown(name)} has been deleted. ${SEE_MANIFEST}`);
    const status = range === "whole" ? 200 : 206;
    if (event.req.method !== "HEAD") return new HTTPResponse(streamFile(opened, sent), { status, headers: sized });
    await opened.close();
    return new HTTPResponse(null, { status, headers: sized });
  }

  return { [BULK_MANIFEST]: sendManifest, [`${BULK_BASE}/**`]: sendFile, ...createSnapshots(store) };
}

/**
 * If-Range guards against mixing two files. HEAD responds like GET, as common servers do: DuckDB in a browser tests so whether ranges work.
 */
function rangeOf(event: H3Event, file: PublishedFile) {
  const ifRange = event.req.headers.get("if-range");
  if (ifRange !== null && ifRange !== `"${file.sha256}"`) return "whole";
  return readRange(event.req.headers.get("range"), file.bytes);
}

/** The path segments below `/v1/data`, percent-decoded once. */
function readPath(event: H3Event): string[] {
  try {
    return event.url.pathname
      .slice(BULK_BASE.length + 1)
      .split("/")
      .map(decodeURIComponent);
  } catch {
    throw new Problem(400, "The path is not properly percent-encoded.");
  }
}
