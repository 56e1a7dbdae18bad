/** The followed server, or a static copy of one: its manifest and files. */
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BULK_MANIFEST, bulkManifest, type BulkManifest, type BulkFile } from "../contract/documents/bulk-manifest.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../errors.ts";
import { tableNamed } from "../generations/schema.ts";
import { snapshotId } from "../generations/snapshot-id.ts";
import { filePath } from "../generations/layout.ts";

/** The name of the followed server in messages. */
export const ORIGIN = "the followed server";

export interface RemoteSnapshot {
  readonly manifest: BulkManifest;
  /** Checked: each path is the one that partition and hash give. */
  readonly files: readonly PublishedFile[];
  readonly etag: string | null;
}

export interface Origin {
  /** The published snapshot; undefined when it still has that `etag`. @throws UpstreamError */
  fetchManifest(etag: string | null, signal: AbortSignal): Promise<RemoteSnapshot | undefined>;
  /** Downloads a file to `path`, resuming a partial one. Its content is not verified. @throws UpstreamError */
  fetchFile(manifest: BulkManifest, file: PublishedFile, path: string, signal: AbortSignal): Promise<void>;
}

/** In characters. */
const MAX_MANIFEST_LENGTH = 32_000_000;

/** @param base the address before `/v1/data`; @param idleMs the timeout without any received data */
export function openOrigin(base: URL, { fetch, idleMs }: { fetch: typeof globalThis.fetch; idleMs: number }): Origin {
  const root = base.href.replace(/\/+$/, "");

  /** Aborts when nothing was received for `idleMs`; `received` restarts that timer. */
  async function request<T>(
    urlPath: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    use: (response: Response, received: () => void) => Promise<T>,
  ): Promise<T> {
    const idle = new AbortController();
    let timer = setTimeout(() => idle.abort(), idleMs);
    const received = () => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), idleMs);
    };
    try {
      const response = await fetch(`${root}${urlPath}`, { headers, signal: AbortSignal.any([signal, idle.signal]) });
      received();
      return await use(response, received);
    } catch (cause) {
      if (cause instanceof UpstreamError) throw cause;
      if (idle.signal.aborted) throw new UpstreamTimeout(ORIGIN, `${urlPath} timed out`);
      throw new UpstreamRefused(ORIGIN, `${urlPath} could not be fetched`, undefined, undefined, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    fetchManifest: (etag, signal) =>
      request(BULK_MANIFEST, etag === null ? {} : { "If-None-Match": etag }, signal, async (response) => {
        if (response.status === 304 && etag !== null) return undefined;
        expectStatus(response, BULK_MANIFEST, 200);
        const manifest = readManifest(await response.text());
        return { manifest, files: toPublishedFiles(manifest), etag: response.headers.get("etag") };
      }),

    async fetchFile(manifest, file, path, signal) {
      const urlPath = urlOf(manifest, file);
      const have = (await stat(path).catch(() => undefined))?.size ?? 0;
      if (have === file.bytes) return;
      const resumes = have > 0 && have < file.bytes;
      const headers = resumes ? { Range: `bytes=${have}-`, "If-Range": `"${file.sha256}"` } : {};
      await request(urlPath, headers, signal, async (response, received) => {
        expectStatus(response, urlPath, 200, ...(resumes ? [206] : []));
        const offset = response.status === 206 ? have : 0;
        if (!response.body) throw new UpstreamBadResponse(ORIGIN, `${urlPath} is empty`);
        await pipeline(
          Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
          limitBytes(file.bytes - offset, urlPath, received),
          createWriteStream(path, { flags: offset > 0 ? "a" : "w" }),
        );
      });
    },
  };
}

function expectStatus(response: Response, urlPath: string, ...expected: number[]): void {
  if (expected.includes(response.status)) return;
  void response.body?.cancel().catch(() => undefined);
  throw new UpstreamRefused(ORIGIN, `${urlPath} returned status ${response.status}`, response.status);
}

function readManifest(text: string): BulkManifest {
  if (text.length > MAX_MANIFEST_LENGTH) throw new UpstreamBadResponse(ORIGIN, "the manifest is too long");
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new UpstreamBadResponse(ORIGIN, "the manifest is not JSON");
  }
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(ORIGIN, `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`);
  const checked = bulkManifest.safeParse(found);
  if (checked.success) return checked.data;
  throw new UpstreamBadResponse(ORIGIN, `the manifest is damaged at ${checked.error.issues[0]?.path.join(".")}`);
}

/** The file's URL in the manifest, which must be a path on the same server. */
function urlOf({ tables }: BulkManifest, { table, path }: PublishedFile): string {
  const url = tables[table]?.files.find((one) => one.path === path)?.url ?? "";
  if (!/^\/(?!\/)/.test(url)) throw new UpstreamBadResponse(ORIGIN, `the URL of ${path} is not a path on this server`);
  return url;
}

/** Fails when a download is longer than announced, so that an endless one cannot fill the disk. */
function limitBytes(bytes: number, urlPath: string, received: () => void): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received();
      size += chunk.length;
      if (size > bytes) done(new UpstreamBadResponse(ORIGIN, `${urlPath} is longer than the manifest says`));
      else done(null, chunk);
    },
  });
}

/** No path is used before it was checked. @throws UpstreamBadResponse when a path does not follow from partition and hash, or the snapshot id from the files */
function toPublishedFiles({ changesBefore, id, tables }: BulkManifest): PublishedFile[] {
  const files = Object.entries(tables).flatMap(([name, { files }]) => files.map((file) => toPublished(name, file)));
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files, changesBefore) !== id)
    throw new UpstreamBadResponse(ORIGIN, "the snapshot id is not that of the listed files");
  return files;
}

function toPublished(name: string, { path, sha256, rows, bytes, partition }: BulkFile): PublishedFile {
  const table = tableNamed(name);
  const columns = Object.keys(partition);
  const isValid =
    table !== undefined &&
    columns.length === table.partitionedBy.length &&
    table.partitionedBy.every((column) => columns.includes(column)) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    path === filePath(name, partition, sha256);
  if (!isValid) throw new UpstreamBadResponse(ORIGIN, `a file of ${name.slice(0, 40)} has an invalid path`);
  return { table: name, partition, path, sha256, rows, bytes };
}
