/** The server, or the static copy of one, that snapshots are copied from: its manifest, and its files. */
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BULK_MANIFEST, bulkManifest, type BulkManifest } from "../contract/bulk-manifest.ts";
import type { PublishedFile } from "../contract/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../errors.ts";
import { ORIGIN, toPublishedFiles } from "./published-files.ts";

export interface Announced {
  readonly manifest: BulkManifest;
  /** As a local manifest lists them: each at the place that its own partition and hash give it. */
  readonly files: readonly PublishedFile[];
  /** To ask again with. */
  readonly tag: string | null;
}

export interface Origin {
  /** What is published there; undefined when that is still what `tag` stands for. @throws UpstreamError */
  look(tag: string | null, signal: AbortSignal): Promise<Announced | undefined>;
  /** Fetches a file to `path`; what is there already is its beginning. Its content is not checked. @throws UpstreamError */
  fetchFile(manifest: BulkManifest, file: PublishedFile, path: string, signal: AbortSignal): Promise<void>;
}

/** The longest manifest that is read, in characters. */
const LONGEST_MANIFEST = 32_000_000;

/** `base` is the address below which `/v1/data` stands; `idleMs` the longest silence of the other side. */
export function openOrigin(base: URL, { fetch, idleMs }: { fetch: typeof globalThis.fetch; idleMs: number }): Origin {
  const root = base.href.replace(/\/+$/, "");

  /** Fetches, and gives up when nothing has come for `idleMs`; `alive` says that something has. */
  async function ask<T>(
    place: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    use: (response: Response, alive: () => void) => Promise<T>,
  ): Promise<T> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), idleMs);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), idleMs);
    };
    try {
      const response = await fetch(`${root}${place}`, { headers, signal: AbortSignal.any([signal, silence.signal]) });
      alive();
      return await use(response, alive);
    } catch (cause) {
      if (cause instanceof UpstreamError) throw cause;
      if (silence.signal.aborted) throw new UpstreamTimeout(ORIGIN, `${place} did not come in time`);
      throw new UpstreamRefused(ORIGIN, `${place} could not be fetched`, undefined, undefined, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    look: (tag, signal) =>
      ask(BULK_MANIFEST, tag === null ? {} : { "If-None-Match": tag }, signal, async (response) => {
        if (response.status === 304 && tag !== null) return undefined;
        expectStatus(response, BULK_MANIFEST, 200);
        const manifest = readManifest(await response.text());
        return { manifest, files: toPublishedFiles(manifest), tag: response.headers.get("etag") };
      }),

    async fetchFile(manifest, file, path, signal) {
      const place = urlOf(manifest, file);
      const have = (await stat(path).catch(() => undefined))?.size ?? 0;
      if (have === file.bytes) return;
      const resumes = have > 0 && have < file.bytes;
      const headers = resumes ? { Range: `bytes=${have}-`, "If-Range": `"${file.sha256}"` } : {};
      await ask(place, headers, signal, async (response, alive) => {
        expectStatus(response, place, 200, ...(resumes ? [206] : []));
        const begun = response.status === 206 ? have : 0;
        if (!response.body) throw new UpstreamBadResponse(ORIGIN, `${place} is empty`);
        await pipeline(
          Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
          noMoreThan(file.bytes - begun, place, alive),
          createWriteStream(path, { flags: begun > 0 ? "a" : "w" }),
        );
      });
    },
  };
}

function expectStatus(response: Response, place: string, ...wanted: number[]): void {
  if (wanted.includes(response.status)) return;
  void response.body?.cancel().catch(() => undefined);
  throw new UpstreamRefused(ORIGIN, `${place} answers ${response.status}`, response.status);
}

function readManifest(text: string): BulkManifest {
  if (text.length > LONGEST_MANIFEST) throw new UpstreamBadResponse(ORIGIN, "the manifest is too long");
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new UpstreamBadResponse(ORIGIN, "the manifest is no JSON");
  }
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(ORIGIN, `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`);
  const checked = bulkManifest.safeParse(found);
  if (checked.success) return checked.data;
  throw new UpstreamBadResponse(ORIGIN, `the manifest is damaged at ${checked.error.issues[0]?.path.join(".")}`);
}

/** Where the manifest says that a file is, which must be below the same address. */
function urlOf({ tables }: BulkManifest, { table, path }: PublishedFile): string {
  const url = tables[table]?.files.find((one) => one.path === path)?.url ?? "";
  if (!/^\/(?!\/)/.test(url)) throw new UpstreamBadResponse(ORIGIN, `the address of ${path} is none below its own`);
  return url;
}

/** A file that does not end does not fill the disk. */
function noMoreThan(bytes: number, place: string, alive: () => void): Transform {
  let size = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      alive();
      size += piece.length;
      if (size > bytes) done(new UpstreamBadResponse(ORIGIN, `${place} is longer than the manifest says`));
      else done(null, piece);
    },
  });
}
