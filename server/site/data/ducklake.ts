/** `/v1/data/lake.ducklake`: the retained snapshots as a DuckLake, over the files that are served beside it. */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { BULK_BASE } from "../../../pipeline/contract/documents/bulk-manifest.ts";
import { generationName } from "../../../pipeline/generations/layout.ts";
import { writeDuckLake } from "../../../pipeline/lake/ducklake/write.ts";
import { commonHeaders } from "../../response/headers.ts";
import { nothingServed, unavailable } from "../../response/problem.ts";
import { once } from "../../snapshot/once.ts";
import type { Retained } from "../../snapshot/retained.ts";
import type { Store } from "../../snapshot/store.ts";
import type { Pages } from "../page.ts";
import { sendFileContent } from "./file-response.ts";
import { askedAddress, type AskedBy } from "./asked-address.ts";

export const DUCKLAKE_PATH = `${BULK_BASE}/lake.ducklake`;

/** One for each address that the server is asked by, and some from before a swap. */
const MAX_KEPT = 8;
const MAX_WAITING = 16;

interface Lake {
  readonly bytes: Buffer;
  readonly sha256: string;
}

export function createDuckLake(store: Store, askedBy: AskedBy): Pages {
  const { history } = store;
  const lakes = new LRUCache<string, Promise<Lake>>({ max: MAX_KEPT });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** One after the other: a client can make up any number of addresses. */
  async function write(base: string, retained: readonly Retained[]): Promise<Lake> {
    if (waiting >= MAX_WAITING) throw unavailable(1, "Too many catalogues are being written. Please try again.");
    waiting++;
    const own = last.then(async () => {
      const read = await Promise.all(retained.map((one) => history.readGeneration(one).catch(() => undefined)));
      return toLake(
        base,
        read.flatMap((generation) => generation ?? []),
      );
    });
    last = own.catch(() => undefined).finally(() => waiting--);
    return own;
  }

  return {
    async [DUCKLAKE_PATH]({ event, requestId }) {
      const retained = await history.retained();
      const [current] = retained;
      if (!current) throw nothingServed(store.mismatch());
      const base = `${askedAddress(event, askedBy)}${BULK_BASE.slice(1)}/`;
      const key = [base, ...retained.map(({ folderName }) => folderName)].join(" ");
      const { bytes, sha256 } = await once(lakes, key, () => write(base, retained));
      return sendFileContent(event, {
        headers: {
          ...commonHeaders(requestId),
          "Content-Type": "application/octet-stream",
          "X-Data-Snapshot": current.id,
          "Cache-Control": "no-cache",
        },
        sha256,
        size: bytes.length,
        open: ({ first, last }) => Promise.resolve(streamOf(bytes.subarray(first, last + 1))),
      });
    },
  };
}

async function toLake(base: string, generations: Parameters<typeof writeDuckLake>[1]["generations"]): Promise<Lake> {
  const folder = await mkdtemp(join(tmpdir(), "ducklake-"));
  try {
    const path = join(folder, "lake.ducklake");
    const pathOf = ({ generation, id }: { generation: number; id: string }, { path }: { path: string }) =>
      `${generationName(generation, id)}/${path}`;
    await writeDuckLake(path, { generations, base, pathOf });
    const bytes = await readFile(path);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
