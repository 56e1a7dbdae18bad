/**
 * Reads the averages of the published grades in JavaScript, without a cast: the mean, the rows above 3, and one value.
 * It runs in the folder of the packages. Arguments: the files. Prints one line of JSON.
 */
import { readFile } from "node:fs/promises";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { readParquet } from "parquet-wasm";

const files = process.argv.slice(2);
const versionOf = async (name) =>
  JSON.parse(await readFile(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

const answer = (version, values) => {
  const known = values.filter((value) => value !== null);
  return {
    version,
    mean: known.reduce((sum, value) => sum + value, 0) / known.length,
    above: known.filter((value) => value > 3).length,
    value: known.reduce((most, value) => (value > most ? value : most)),
  };
};

async function apacheArrow() {
  const values = [];
  for (const file of files) {
    const table = tableFromIPC(readParquet(await readFile(file)).intoIPCStream());
    values.push(...table.getChild("averageGPA"));
  }
  const version = `${await versionOf("apache-arrow")}, parquet-wasm ${await versionOf("parquet-wasm")}`;
  return answer(version, values);
}

async function hyparquet() {
  const values = [];
  for (const path of files) {
    const { buffer, byteOffset, byteLength } = await readFile(path);
    const file = buffer.slice(byteOffset, byteOffset + byteLength);
    const rows = await parquetReadObjects({ file, compressors, columns: ["averageGPA"] });
    values.push(...rows.map(({ averageGPA }) => averageGPA));
  }
  return answer(await versionOf("hyparquet"), values);
}

const results = {};
for (const [name, read] of [
  ["apache-arrow for JavaScript", apacheArrow],
  ["hyparquet", hyparquet],
])
  results[name] = await read().catch((error) => ({ failed: String(error).slice(0, 300) }));
process.stdout.write(
  `${JSON.stringify(results, (_key, value) => (typeof value === "bigint" ? `bigint ${value}` : value))}\n`,
);
