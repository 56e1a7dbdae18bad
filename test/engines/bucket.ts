/**
 * The engines read a published snapshot straight from a bucket, and answer as the API does; each real store is also
 * checked for its guarantees.
 */
import { readPipelineConfig } from "../../pipeline/settings/pipeline.ts";
import { openStore } from "../../pipeline/store/open-store.ts";
import { type EngineResult, runEngine } from "./engine.ts";
import { checkGuarantees, type Guarantees } from "./store-guarantees.ts";
import { type World, type WorldStore, writeJob } from "./world.ts";

export const BUCKET_SCRIPTS = [
  ["Apache Spark over s3a, Delta Lake", "spark_delta.py"],
  ["delta-rs", "delta_rs.py"],
  ["Polars, Delta Lake", "polars_delta.py"],
  ["Polars, Parquet", "polars_parquet.py"],
  ["DuckDB for Python, Delta Lake", "duckdb_delta.py"],
  ["DuckDB for Python, httpfs, Parquet", "duckdb_parquet.py"],
  ["DuckDB for Python, DuckLake", "ducklake.py"],
  ["Trino, Delta Lake", "trino_delta.py"],
] as const;

export interface BucketResult {
  readonly store: string;
  readonly guarantees: Guarantees;
  readonly engines: readonly EngineResult[];
}

export interface BucketOptions {
  readonly python: string;
  readonly installed: { readonly jars: readonly string[]; readonly trino: unknown };
  readonly canRun: (engine: string, script: string) => boolean;
  readonly say: (line: string) => void;
}

/** The product's own verdict, in its words. */
async function publishes(lake: string, env: Record<string, string>): Promise<string> {
  const store = openStore(new URL(lake), { aws: readPipelineConfig(env).aws });
  return store.probe().then(
    () => "yes",
    (error: Error) => `no: ${error.message}`,
  );
}

export async function readFromBucket(
  world: World,
  { name, target, lake }: WorldStore,
  { python, installed, canRun, say }: BucketOptions,
): Promise<BucketResult> {
  const guarantees = { ...(await checkGuarantees(target)), "is published to": await publishes(lake, target.env) };
  const job = await writeJob(
    { ...world, lake, snapshots: world.snapshots.map((snapshot) => ({ ...snapshot, folder: lake })) },
    installed,
  );
  // A store of one's own has no certificate.
  const env = { ...target.env, AWS_ALLOW_HTTP: "true" };
  const engines: EngineResult[] = [];
  for (const [engine, script] of BUCKET_SCRIPTS) {
    if (!canRun(engine, script)) continue;
    say(`${engine} from ${name}`);
    engines.push(await runEngine({ engine, script, python, job, env }, world.snapshots));
  }
  return { store: name, guarantees, engines };
}
