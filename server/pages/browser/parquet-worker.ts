/** Reads a published Parquet file, off the page's own thread: address and columns in, Arrow bytes out. */
import { type Builder, type DataType, makeBuilder, Table, tableToIPC, type Vector } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parseType, toArrowType, toArrowValue } from "./arrow-types.ts";
import { messageOf } from "./ask.ts";
import type { ReadAnswer, ReadRequest } from "./parquet-reader.ts";

const isValue = (value: unknown) => value !== null && value !== undefined;

/** Told the empty values itself, Arrow would write a function for them; this page's policy allows no code but its files. */
function letEmpty<B extends Builder>(builder: B): B {
  builder.isValid = isValue;
  for (const child of builder.children ?? []) letEmpty(child);
  return builder;
}

function toVector(values: readonly unknown[], type: DataType): Vector {
  const builder = letEmpty(makeBuilder({ type }));
  for (const value of values) builder.append(value);
  return builder.finish().toVector();
}

async function readFile({ url, columns }: ReadRequest): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url).catch(() => undefined);
  if (!response?.ok)
    throw new Error(
      response?.status === 404
        ? "The snapshot was replaced meanwhile. Please run the statement again."
        : "A published file cannot be fetched.",
    );
  const rows = await parquetReadObjects({
    file: await response.arrayBuffer(),
    columns: columns.map(({ name }) => name),
    compressors,
  });
  const vectors = columns.map(({ name, type }) => {
    const parsed = parseType(type);
    const values = rows.map((row) => toArrowValue(row[name], parsed));
    return [name, toVector(values, toArrowType(parsed))] as const;
  });
  return new Uint8Array(tableToIPC(new Table(Object.fromEntries(vectors)), "stream"));
}

const answer = (message: ReadAnswer, transfer: Transferable[] = []) => globalThis.postMessage(message, { transfer });

globalThis.addEventListener("message", async ({ data }: MessageEvent<ReadRequest>) => {
  const { id } = data;
  try {
    const bytes = await readFile(data);
    answer({ id, bytes }, [bytes.buffer]);
  } catch (error) {
    answer({ id, problem: messageOf(error) });
  }
});
