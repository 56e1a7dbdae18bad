/** Reads published Parquet files in a worker: a column that takes long to unpack does not hold up the page. */
import type { Column } from "./sql-plan.ts";

export interface ReadRequest {
  readonly id: number;
  readonly url: string;
  readonly columns: readonly Column[];
}
export type ReadAnswer = { readonly id: number } & ({ readonly bytes: Uint8Array } | { readonly problem: string });

/** The columns of the file at an address, as an Arrow stream. */
export type ReadParquet = (url: string, columns: readonly Column[]) => Promise<Uint8Array>;

export function openParquetReader(): ReadParquet {
  const worker = new Worker(new URL("parquet-worker.js", import.meta.url), { type: "module" });
  const waiting = new Map<number, { resolve: (bytes: Uint8Array) => void; reject: (problem: Error) => void }>();
  let ids = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<ReadAnswer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ("bytes" in data) asked?.resolve(data.bytes);
    else asked?.reject(new Error(data.problem));
  });
  worker.addEventListener("error", () => {
    for (const { reject } of waiting.values()) reject(new Error("The Parquet reader could not be started."));
    waiting.clear();
  });
  return (url, columns) =>
    new Promise((resolve, reject) => {
      const request: ReadRequest = { id: ++ids, url: new URL(url, globalThis.location.href).href, columns };
      waiting.set(request.id, { resolve, reject });
      worker.postMessage(request, { transfer: [] });
    });
}
