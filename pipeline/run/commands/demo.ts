/** `make demo`: a server and a sample campus on which an hour passes every few seconds. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { campusDay, toDate } from "../../campus/days.ts";
import { offeredTerms } from "../../campus/courses/offered-terms.ts";
import { startCampus } from "../../campus/listening/server.ts";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { createProgressLines } from "../progress.ts";
import { createLog } from "../../log.ts";
import { runPipeline } from "../run.ts";
import { sampleSource } from "../source.ts";
import { openScreen, PHASES } from "../screen.ts";
import { recordSampleHistory } from "./sample-history.ts";

const HOUR_MS = 3_600_000;
/** Campus time begins at most this many days ago, so that it stays behind the server's clock for a while. */
const MOST_DAYS_AGO = 28;
/** Six in the morning on campus, in winter. */
const MORNING_UTC = 14;
const SERVER = fileURLToPath(new URL("../../../server/main.js", import.meta.url));

/**
 * Builds the sample campus in a temporary folder, as of the morning on which enrolment last opened, and serves it; then
 * refreshes every `seconds`, each time an hour later on campus, until the present is reached: from then on every hour.
 * `env` is the server's. Ends on SIGINT or SIGTERM with status 0, and removes the folder; returns false when the server
 * ended by itself.
 */
export async function demo(config: PipelineConfig, env: NodeJS.ProcessEnv, seconds: number): Promise<false> {
  let folder: string | undefined;
  let server: ChildProcess | undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const stop = async () => {
    const exited = server && server.exitCode === null && server.signalCode === null ? once(server, "exit") : undefined;
    server?.kill("SIGTERM");
    await exited;
    // A run may be in progress; its open files go with the folder.
    remove();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
  // No signal leaves the folder behind.
  folder = mkdtempSync(join(tmpdir(), "academic-data-demo-"));

  const [artifactsDir, dataDir] = [join(folder, "artifacts"), join(folder, "data")];
  let campusTime = openingMorning(new Date());
  const now = () => campusTime;
  const campus = await startCampus({ size: "standard", clock: now });
  const log = createLog(config.logLevel);
  const screen = openScreen(config, PHASES + 1);
  const options = {
    config: { ...config, addresses: {}, closed: [], sample: "standard", artifactsDir, dataDir } as const,
    now,
    log: screen?.log ?? createLog(config.logLevel === "info" ? "warn" : config.logLevel),
    progress: screen?.progress ?? createProgressLines(log),
    source: sampleSource("standard", { ...campus, close: () => Promise.resolve() }),
  };
  try {
    log.info("building the campus of the demonstration", { folder, from: campusTime.toISOString() });
    await recordSampleHistory({ ...options, mode: "build" });
    await runPipeline({ ...options, mode: "build" });
    server = spawn(process.execPath, [SERVER], {
      env: { ...env, ARTIFACTS_DIR: artifactsDir, SCHEDULE_URL: campus.urls.SCHEDULE_URL, FOLLOW_URL: "" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const ended = once(server, "exit").then(() => "ended");
    for (;;) {
      const next = new Date(campusTime.getTime() + HOUR_MS);
      const wait = Math.max(seconds * 1000, next.getTime() - Date.now());
      if ((await Promise.race([sleep(wait), ended])) === "ended") return false;
      campusTime = next;
      const { changed } = await runPipeline({
        ...options,
        mode: "refresh",
        progress: createProgressLines(options.log),
      });
      log.info("an hour has passed on campus", { at: campusTime.toISOString(), changed });
    }
  } finally {
    server?.kill("SIGTERM");
    await campus.close();
    remove();
  }
}

function openingMorning(now: Date): Date {
  const today = campusDay(now);
  const opened = offeredTerms(today).map(({ enrolmentOpens }) => enrolmentOpens);
  const last = Math.max(...opened.filter((day) => day < today));
  return toDate(Math.max(last, today - MOST_DAYS_AGO), MORNING_UTC);
}
