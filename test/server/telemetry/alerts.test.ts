/** The alert rules and the dashboard ask for series and labels that `/metrics` has. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../../pipeline/log.ts";
import { writeRunReport } from "../../../pipeline/run/run-report.ts";
import { runOf } from "../status/run-of.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask } from "../http/wire.ts";
import { scrape, type Scraped } from "./scrape.ts";

const read = (name: string): string => readFileSync(`server/telemetry/${name}`, "utf8");

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = read("alerts.yml");
const alerts = [...rules.matchAll(/^ +- alert: (\w+)\n +expr: (.+)$/gm)].map(([, name = "", expr = ""]) => ({
  name,
  expr,
}));
const { panels } = JSON.parse(read("dashboard.json")) as Dashboard;
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

let scraped: Scraped;
let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => {
  surface = await openSurface();
  await writeRunReport(surface.artifacts, runOf([{ product: "schedule" }]), silentLog);
  // Labels appear with the first request that has them.
  await ask(`${surface.base}/courses/DANCE10`);
  await scrape(surface.url);
  scraped = await scrape(surface.url);
});
afterAll(() => surface?.close());

/** What is left of an expression without functions, durations, texts and label lists. */
const namesIn = (expr: string): string[] =>
  [...expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, "").matchAll(/\b[a-z]\w*_\w+\b(?!\()/g)].map(
    ([name]) => name,
  );
const labelsIn = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)|\{(\w+)/g)].flatMap(([, by, selected]) => by?.split(/, */) ?? selected ?? []);

it("there are four rules, each with what happened and what to do", () => {
  expect(alerts.map(({ name }) => name)).toEqual([
    "AcademicDataOverdue",
    "AcademicDataWithheld",
    "AcademicDataRejected",
    "AcademicDataFailing",
  ]);
  expect(rules.match(/^ +summary: .+$/gm)).toHaveLength(4);
  expect(rules.match(/^ +remedy: .+$/gm)).toHaveLength(4);
});

it("every series is one of /metrics, with the labels that are asked for", () => {
  expect(expressions.length).toBeGreaterThan(10);
  for (const expr of expressions) {
    const names = namesIn(expr);
    expect([expr, names.length > 0]).toEqual([expr, true]);
    for (const name of names) {
      expect([expr, scraped.names.has(name)]).toEqual([expr, true]);
      const labels = scraped.labelsOf(name).flatMap((each) => Object.keys(each));
      for (const label of labelsIn(expr)) expect([expr, labels.includes(label)]).toEqual([expr, true]);
    }
  }
});

it("each panel has an id of its own", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
