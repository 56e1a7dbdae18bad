/**
 * Records earlier weeks of the sample campus, so that a first build shows enrollment curves, changes and snapshots
 * instead of a single point.
 */
import { campusDay } from "../../campus/days.ts";
import { enrollmentFile } from "../../campus/enrollment-archive.ts";
import { offeredTerms } from "../../campus/courses/offered-terms.ts";
import { startCampus } from "../../campus/listening/server.ts";
import { campusToday } from "../../contract/campus-time.ts";
import { compareTerms } from "../../contract/vocabulary.ts";
import { sampleSizeOf } from "../../contract/sample-campus.ts";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { readFreshness } from "../../store/freshness.ts";
import { listPublished, readCurrent } from "../../store/published.ts";
import { partOf } from "../progress.ts";
import type { RunOptions } from "../open-run.ts";
import { runPipeline } from "../run.ts";
import { sampleSource } from "../source.ts";

/** Terms that ended within this many days before have a daily curve: those of the previous year, for comparison. */
const CURVE_DAYS = 400;
/** The days to record; each takes about a second of the first build. */
const DAYS_AGO = [28, 7, 1];
const DAY_MS = 86_400_000;

/** The wanted terms that the campus offers on a day. */
const wantedTerms = ({ terms }: PipelineConfig, today: number) =>
  offeredTerms(today).filter((term) => terms?.some((wanted) => compareTerms(wanted, term) === 0) ?? true);

/**
 * True for a wanted term of the standard sample that is not over, if nothing else is published: an interrupted first
 * build continues.
 */
export async function hasHistoryToRecord(config: PipelineConfig, now: Date): Promise<boolean> {
  const { artifactsDir, sample } = config;
  const today = campusDay(now);
  if (sample !== "standard" || wantedTerms(config, today).every(({ finalsEnd }) => finalsEnd < today)) return false;
  const current = await readCurrent(artifactsDir).catch(() => undefined);
  if (!current) return (await listPublished(artifactsDir)).length === 0;
  const { olderTerms } = await readFreshness(artifactsDir);
  return olderTerms !== undefined && sampleSizeOf(current.manifest.source["schedule"] ?? "") === sample;
}

/**
 * Yields a run for each of these days, with a campus whose clock stands on that day: a build of the terms that are not
 * over, then hourly refreshes of their schedule. The last one imports the enrollment of all other days.
 */
export async function* sampleHistory(
  options: RunOptions,
): AsyncGenerator<RunOptions & Required<Pick<RunOptions, "source">>, void, undefined> {
  const { config, now } = options;
  if (!(await hasHistoryToRecord(config, now()))) return;
  const current = await readCurrent(config.artifactsDir).catch(() => undefined);
  const recorded = current ? campusDay(new Date(current.manifest.createdAt)) : -Infinity;
  let time = now();
  if (recorded >= campusDay(time) - Math.min(...DAYS_AGO)) return;
  const campus = await startCampus({ size: "standard", clock: () => time });
  const systems = { ...campus, close: () => Promise.resolve() };
  let isFirst = current === undefined;
  try {
    for (const daysAgo of DAYS_AGO) {
      time = new Date(now().getTime() - daysAgo * DAY_MS);
      const moment = time;
      const today = campusDay(moment);
      const offered = wantedTerms(config, today);
      if (today <= recorded || offered.every(({ finalsEnd }) => finalsEnd < today)) continue;
      const enrollmentFiles = (daysAgo === DAYS_AGO.at(-1) ? offered : [])
        .filter(({ finalsEnd, enrolmentOpens }) => finalsEnd > today - CURVE_DAYS && enrolmentOpens < today)
        .map((term) => enrollmentFile(campus.world.term(term.year, term.quarter), today - 1));
      const source = isFirst ? sampleSource("standard", systems) : sampleSource("standard", systems, ["schedule"]);
      yield {
        ...options,
        mode: isFirst ? "build" : "refresh",
        now: () => moment,
        since: campusToday(moment),
        source: { ...source, enrollmentFiles },
      };
      isFirst = false;
    }
  } finally {
    await campus.close();
  }
}

/** **Output:** a snapshot for each of the days, as a single phase. */
export async function recordSampleHistory(options: RunOptions): Promise<void> {
  const { log, progress } = options;
  progress.begin("sample");
  try {
    log.info("recording earlier weeks of the sample campus", { days: DAYS_AGO.length });
    let days = 0;
    for await (const run of sampleHistory(options)) {
      await runPipeline({ ...run, progress: partOf(progress) });
      days++;
    }
    progress.end("done", `${days} earlier days of the sample campus`);
  } finally {
    progress.stop();
  }
}
