/** Reads a published Parquet file, off the page's own thread: address and columns in, Arrow bytes out. */
import { Table, tableToIPC, vectorFromArray } from "apache-arrow";
import { parquetReadObjects } from "package:hyparquet/src/index.js";
import { compressors } from "package:hyparquet-compressors/src/index.js";
import { parseType, toArrowType, toArrowValue } from "./arrow-types.js";

async function readFile({ url, columns }) {
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
    return [
      name,
      vectorFromArray(
        rows.map((row) => toArrowValue(row[name], parsed)),
        toArrowType(parsed),
      ),
    ];
  });
  return tableToIPC(new Table(Object.fromEntries(vectors)), "stream");
}

globalThis.addEventListener("message", async ({ data }) => {
  try {
    const bytes = await readFile(data);
    globalThis.postMessage({ id: data.id, bytes }, { transfer: [bytes.buffer] });
  } catch (error) {
    globalThis.postMessage({ id: data.id, problem: error.message }, { transfer: [] });
  }
});
