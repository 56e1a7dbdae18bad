/** DuckDB in this browser, and the published tables that were loaded into it. Nothing of it is fetched before the first statement. */
import { castOf } from "./cast.js";

const OWN = new URL(".", import.meta.url);

async function openDatabase(progress) {
  const { AsyncDuckDB, VoidLogger } = await import("package:@duckdb/duckdb-wasm/dist/duckdb-browser.mjs");
  const worker = new Worker("package:@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js");
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  const wasm = new URL("package:@duckdb/duckdb-wasm/dist/duckdb-eh.wasm", globalThis.location.href).href;
  await database.instantiate(wasm, null, ({ bytesLoaded, bytesTotal }) => progress(bytesLoaded, bytesTotal));
  await database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } });
  const connection = await database.connect();
  // Extensions would come from elsewhere; this page asks nobody but its own server.
  await connection.query("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false");
  return connection;
}

function openReader() {
  const worker = new Worker(new URL("parquet-worker.js", OWN), { type: "module" });
  const waiting = new Map();
  let ids = 0;
  const fail = (problem) => {
    for (const { reject } of waiting.values()) reject(new Error(problem));
    waiting.clear();
  };
  worker.addEventListener("message", ({ data: { id, bytes, problem } }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (problem === undefined) resolve?.(bytes);
    else reject?.(new Error(problem));
  });
  worker.addEventListener("error", () => fail("The Parquet reader could not be started."));
  return (url, columns) =>
    new Promise((resolve, reject) => {
      const id = ++ids;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, url: new URL(url, globalThis.location.href).href, columns }, { transfer: [] });
    });
}

/** `progress(text, done, all)` is told what is under way. */
export function createEngine(progress) {
  let connection;
  let read;
  /** Table → what of it is loaded. */
  const loaded = new Map();

  async function loadTable({ name, columns, files }) {
    const key = JSON.stringify([columns.map((column) => column.name), files.map(({ path }) => path)]);
    if (loaded.get(name) === key) return;
    loaded.delete(name);
    const held = `loaded_${name}`;
    await connection.query(`DROP VIEW IF EXISTS "${name}"; DROP TABLE IF EXISTS "${held}"`);
    for (const [i, { url }] of files.entries()) {
      progress(`Reading ${name}, file ${i + 1} of ${files.length}`, i, files.length);
      await connection.insertArrowFromIPCStream(await read(url, columns), { name: held, create: i === 0 });
    }
    if (files.length === 0) {
      const empty = columns.map((column) => `NULL::${column.type} AS "${column.name}"`).join(", ");
      await connection.query(`CREATE VIEW "${name}" AS SELECT ${empty} WHERE false`);
    } else await connection.query(`CREATE VIEW "${name}" AS SELECT ${columns.map(castOf).join(", ")} FROM "${held}"`);
    loaded.set(name, key);
  }

  return {
    /** Loads what the plan names and runs the statement: its answer, and how long the statement itself took. @throws Error with DuckDB's own words, or ours */
    async run(statement, plan) {
      progress("Loading the database", 0, 1);
      connection ??= await openDatabase((done, all) => progress("Loading the database", done, all));
      read ??= openReader();
      for (const table of plan) await loadTable(table);
      progress("Running the statement", 1, 1);
      const began = performance.now();
      return { table: await connection.query(statement), ms: performance.now() - began };
    },
    /** True when the statement's tables are in memory already. */
    has: (plan) => connection !== undefined && plan.every(({ name }) => loaded.has(name)),
  };
}
