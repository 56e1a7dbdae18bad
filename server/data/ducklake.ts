/**
 * `/v1/data/lake.ducklake`: the retained snapshots as a DuckLake over the files that are served beside it, and a
 * DuckLake of each snapshot alone.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { H3Event, HTTPResponse } from "h3";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { BULK_BASE, BULK_MANIFEST } from "../../pipeline/contract/documents/bulk-manifest.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import type { PublishedSnapshot } from "../../pipeline/store/published.ts";
import { writeDuckLake } from "../../pipeline/lake/ducklake/write.ts";
import { commonHeaders, IMMUTABLE } from "../response/headers.ts";
import { filesMissing, nothingServed, Problem, shown, unavailable } from "../response/problem.ts";
import { once } from "../snapshot/shared-work.ts";
import { readUnlessDamaged, type Retained } from "../snapshot/earlier-generations.ts";
import type { Store } from "../snapshot/store.ts";
import type { PageRequest, Pages } from "../pages/page.ts";
import { DUCKLAKE_NAME, DUCKLAKE_PATH, DUCKLAKE_TYPE } from "./documented.ts";
import { type Installation, installationAddress } from "../response/installation.ts";
import { sendFileContent } from "../pages/content.ts";

/** Some 400 KB each: for the addresses that the server is asked by, and from before a swap. */
const MAX_KEPT = 16;
const MAX_WAITING = 16;

interface Lake {
  readonly bytes: Buffer;
  readonly sha256: string;
}

export function createDuckLake(store: Store, installation: Installation): Pages {
  const { history } = store;
  const lakes = new LRUCache<string, Promise<Lake>>({ max: MAX_KEPT });
  /** One after the other: a client can make up any number of addresses. */
  const limit = pLimit(1);

  /** Snapshots that cannot be read are left out. */
  async function write(base: string, snapshots: readonly Retained[]): Promise<Lake> {
    if (limit.activeCount + limit.pendingCount >= MAX_WAITING)
      throw unavailable(1, "Too many lakes are being written. Please try again in a moment.");
    return limit(async () => {
      const read = await Promise.all(snapshots.map((one) => readUnlessDamaged(history, one)));
      const readable = read.filter((one) => one?.manifest.contract === CONTRACT_VERSION) as PublishedSnapshot[];
      if (readable.length === 0) throw filesMissing();
      return toLake(base, readable);
    });
  }

  async function send(
    { event, requestId }: PageRequest,
    snapshots: readonly Retained[],
    { id, cacheControl }: { id: string; cacheControl: string },
  ): Promise<HTTPResponse> {
    // DuckLake knows no paths relative to the catalogue.
    const base = `${installationAddress(event, installation)}${BULK_BASE.slice(1)}/`;
    const key = [base, ...snapshots.map(({ folderName }) => folderName)].join(" ");
    const { bytes, sha256 } = await once(lakes, key, () => write(base, snapshots));
    return sendFileContent(event, {
      headers: {
        ...commonHeaders(requestId),
        "Content-Type": DUCKLAKE_TYPE,
        "X-Data-Snapshot": id,
        "Cache-Control": cacheControl,
      },
      sha256,
      size: bytes.length,
      open: async ({ first, last }) => ReadableStream.from([bytes.subarray(first, last + 1)]),
    });
  }

  async function retained(): Promise<readonly [Retained, ...Retained[]]> {
    const [current, ...earlier] = await history.retained();
    if (current) return [current, ...earlier];
    throw nothingServed(store.mismatch());
  }

  return {
    async [DUCKLAKE_PATH](request) {
      const all = await retained();
      return send(request, all, { id: all[0].id, cacheControl: "no-cache" });
    },
    async [`${BULK_BASE}/:generation/${DUCKLAKE_NAME}`](request) {
      const name = nameInPath(request.event);
      const found = (await retained()).find(({ folderName }) => folderName === name);
      if (found) return send(request, [found], { id: found.id, cacheControl: IMMUTABLE });
      throw new Problem(
        404,
        `The generation ${shown(name)} is not retained, or never existed. ${BULK_MANIFEST} names the current one.`,
      );
    },
  };
}

const nameInPath = ({ url }: H3Event): string => url.pathname.split("/").at(-2) ?? "";

async function toLake(base: string, snapshots: readonly PublishedSnapshot[]): Promise<Lake> {
  const folder = await mkdtemp(join(tmpdir(), "ducklake-"));
  try {
    const path = join(folder, DUCKLAKE_NAME);
    await writeDuckLake(path, { snapshots, base, pathOf: (name, file) => `${name}/${file.path}` });
    const bytes = await readFile(path);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
