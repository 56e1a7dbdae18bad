/**
 * Records earlier weeks of the sample campus, so that a first build shows enrollment curves, changes and snapshots
 * instead of a single point.
 */
import { campusDay } from "../../campus/days.ts";
import { enrollmentFile } from "../../campus/enrollment-archive.ts";
import { offeredTerms } from "../../campus/courses/offered-terms.ts";
import { startCampus } from "../../campus/listening/server.ts";
import { compareTerms, type Term } from "../../contract/vocabulary.ts";
import { isUnfinishedSample } from "../../contract/sample-campus.ts";
import { listGenerations, readCurrent } from "../../store/published.ts";
import { partOf } from "../progress.ts";
import type { RunOptions } from "../open-run.ts";
import { runPipeline } from "../run.ts";
import { sampleSource } from "../source.ts";

/** Terms that ended within this many days before have a daily curve: those of the previous year, for comparison. */
const CURVE_DAYS = 400;
/** The days to record; each takes about a second of the first build. */
const DAYS_AGO = [28, 14, 7, 3, 1];
const DAY_MS = 86_400_000;

/**
 * Runs the hourly refresh of the schedule as of some days of the last weeks, with a campus whose clock stands on that
 * day; the last of them imports the enrollment of all other days. Only for the standard sample, and only if nothing
 * else is published: an interrupted first build continues. **Output:** a generation for each of those days.
 */
export async function recordSampleHistory(options: RunOptions): Promise<void> {
  const { config, log, now, progress } = options;
  if (config.sample !== "standard") return;
  const generations = await listGenerations(config.artifactsDir);
  const current = await readCurrent(config.artifactsDir).catch(() => undefined);
  if (generations.length > 0 && !isUnfinishedSample(current?.manifest.source ?? {})) return;
  const recorded = current ? campusDay(new Date(current.manifest.createdAt)) : -Infinity;
  let time = now();
  let days = 0;
  const campus = await startCampus({ size: config.sample, clock: () => time });
  const source = sampleSource(config.sample, { ...campus, close: () => Promise.resolve() }, ["schedule"]);
  progress.begin("sample");
  try {
    log.info("recording earlier weeks of the sample campus", { days: DAYS_AGO.length });
    const isWanted = (term: Term) => config.terms?.some((wanted) => compareTerms(wanted, term) === 0) ?? true;
    for (const daysAgo of DAYS_AGO) {
      time = new Date(now().getTime() - daysAgo * DAY_MS);
      const today = campusDay(time);
      if (today <= recorded) continue;
      const terms = offeredTerms(today)
        .filter(({ finalsEnd }) => finalsEnd >= today)
        .filter(isWanted);
      const moment = time;
      const curves = daysAgo === DAYS_AGO.at(-1) ? offeredTerms(today).filter(isWanted) : [];
      const enrollmentFiles = curves
        .filter(({ finalsEnd, enrolmentOpens }) => finalsEnd > today - CURVE_DAYS && enrolmentOpens < today)
        .map((term) => enrollmentFile(campus.world.term(term.year, term.quarter), today - 1));
      if (terms.length === 0) continue;
      days++;
      await runPipeline({
        ...options,
        config: { ...config, terms },
        mode: "refresh",
        progress: partOf(progress),
        now: () => moment,
        source: { ...source, enrollmentFiles },
      });
    }
    progress.end("done", `${days} earlier days of the sample campus`);
  } finally {
    progress.stop();
    await campus.close();
  }
}
