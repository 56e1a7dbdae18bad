/**
 * `make bench`: a real server process under load, beside a bare node:http server that sends a body of the same size. BENCH_ARTIFACTS names published
 * data; without it the sample campus is built first (SAMPLE=full for the large one). Figures are for reading, not for passing or failing.
 */
import { openFolder, run } from "../world.ts";
import { type Load, putLoad } from "./load.ts";
import { start, stop } from "./process.ts";

const row = (name: string, load: Load, bare?: Load) =>
  process.stdout.write(
    `| ${name.padEnd(44)} | ${load.perSecond.toFixed(0).padStart(7)} | ${load.p50.toFixed(2).padStart(7)} | ${load.p99.toFixed(2).padStart(7)} | ${load.megabytesPerSecond.toFixed(0).padStart(6)} | ${bare ? `${((100 * load.perSecond) / bare.perSecond).toFixed(0)} %` : ""}${load.failures > 0 ? ` ${load.failures} failed` : ""} |\n`,
  );

async function measure(
  name: string,
  base: string,
  paths: string[],
  options: Parameters<typeof putLoad>[2] = {},
): Promise<void> {
  await putLoad(base, paths, { ...options, ms: 500 });
  const load = await putLoad(base, paths, options);
  const size = Math.round((load.megabytesPerSecond * 1e6) / Math.max(1, load.perSecond));
  const bare = await start("bare.ts", [String(size)], {}, /(http:\S+)/);
  await putLoad(bare.base, ["/"], { ms: 300 });
  const limit = await putLoad(bare.base, ["/"], options);
  await stop(bare.child);
  row(`${name} (${size > 2000 ? `${Math.round(size / 1000)} kB` : `${size} B`})`, load, limit);
}

async function main(): Promise<void> {
  const given = process.env["BENCH_ARTIFACTS"];
  const folder = given ? undefined : await openFolder();
  const artifacts = given ?? folder?.artifacts ?? "";
  if (folder) {
    const report = await run({ ...folder.env, SAMPLE: process.env["SAMPLE"] ?? "standard" });
    const sections = report.products.find(({ product }) => product === "schedule");
    process.stdout.write(
      `built ${sections?.kept} sections in ${(report.ms / 1000).toFixed(1)} s, ${Math.round((sections?.kept ?? 0) / ((sections?.ms ?? 1) / 1000))} a second\n\n`,
    );
  }
  const { base, child } = await start(
    "../../server/main.ts",
    [],
    { ARTIFACTS_DIR: artifacts, PORT: "0", HOST: "127.0.0.1", LOG_FORMAT: "text" },
    /listening url=(\S+)/,
  );
  const rest = `${base}/v1/rest`;
  const json = async <T>(path: string) => (await (await fetch(`${rest}${path}`)).json()) as T;
  const terms = (await json<{ shortName: string }[]>("/schedule/terms")).map(
    ({ shortName }) => shortName.split(" ") as [string, string],
  );
  const [year, quarter] = terms.find(([, name]) => name === "Fall") ?? ["", ""];
  const departments = (await json<{ deptValue: string }[]>("/schedule/depts"))
    .slice(1)
    .map(({ deptValue }) => encodeURIComponent(deptValue));
  const term = `year=${year}&quarter=${quarter}`;
  const [first = ""] = departments;
  const plain = { headers: { "Accept-Encoding": "identity" } };
  const etag = (await fetch(`${rest}/schedule?${term}&department=${first}`, plain)).headers.get("etag") ?? "";
  // Every question is asked once: none of these is in the cache.
  let fresh = 0;
  const never = (make: (i: number) => string) => Array.from({ length: 20_000 }, () => make(fresh++));

  process.stdout.write(
    "| what | answers/s | p50 ms | p99 ms | MB/s | of bare node:http |\n|---|---|---|---|---|---|\n",
  );
  await measure("schedule, one department, asked before", rest, [`/schedule?${term}&department=${first}`]);
  await measure("the same, gzip", rest, [`/schedule?${term}&department=${first}`], {
    headers: { "Accept-Encoding": "gzip" },
  });
  await measure("the same, If-None-Match", rest, [`/schedule?${term}&department=${first}`], {
    headers: { "If-None-Match": etag },
  });
  await measure(
    "schedule, departments and numbers, all new",
    rest,
    never((i) => `/schedule?${term}&department=${departments[i % departments.length]}&courseNumber=1-${100 + i}`),
  );
  await measure(
    "schedule, codes, all new",
    rest,
    never((i) => `/schedule?${term}&sectionCodes=${String(10_000 + i)}-${String(10_000 + i + 300)}`),
  );
  await measure("schedule, a whole term, asked before", rest, [`/schedule?${term}&cacheOnly=true`]);
  await measure(
    "grades/aggregateByOffering, all new",
    rest,
    never((i) => `/grades/aggregateByOffering?department=${departments[i % departments.length]}&courseNumber=${i}`),
  );
  await measure(
    "grades/raw by department",
    rest,
    departments.map((code) => `/grades/raw?department=${code}`),
  );
  await measure("grades/raw, everything", rest, ["/grades/raw"], { connections: 2 });
  await measure("courses/all", rest, ["/courses/all"], { connections: 2 });
  await measure("week", rest, ["/week"]);
  await stop(child);
  await folder?.remove();
}

await main();
