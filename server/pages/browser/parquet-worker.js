/** Reads a published Parquet file, off the page's own thread: address and columns in, Arrow bytes out. */
import { makeBuilder, Table, tableToIPC } from "apache-arrow";
import { parquetReadObjects } from "package:hyparquet/src/index.js";
import { compressors } from "package:hyparquet-compressors/src/index.js";
import { parseType, toArrowType, toArrowValue } from "./arrow-types.js";

const isValue = (value) => value !== null && value !== undefined;

/** Told the empty values itself, Arrow would write a function for them; this page's policy allows no code but its files. */
function letEmpty(builder) {
  builder.isValid = isValue;
  for (const child of builder.children ?? []) letEmpty(child);
  return builder;
}

function toVector(values, type) {
  const builder = letEmpty(makeBuilder({ type }));
  for (const value of values) builder.append(value);
  return builder.finish().toVector();
}

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
    const values = rows.map((row) => toArrowValue(row[name], parsed));
    return [name, toVector(values, toArrowType(parsed))];
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
