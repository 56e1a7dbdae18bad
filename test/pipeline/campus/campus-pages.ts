/** The pages of the sample campus, over HTTP. */
import { load, type CheerioAPI } from "cheerio";
import { afterAll, beforeAll } from "vitest";
import { startCampus } from "../../../pipeline/campus/listening/server.ts";

let running: Awaited<ReturnType<typeof startCampus>>;
export const campus = () => running;

/** Call it where the tests are declared. */
export function openCampus(): void {
  beforeAll(async () => {
    running = await startCampus({ size: "standard", clock: () => new Date("2026-11-21T20:00:00Z") });
  });
  afterAll(() => running.close());
}

export async function page(url: string | URL): Promise<CheerioAPI> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return load(await response.text());
}
export const catalogued = (code: string) =>
  running.world.courses.flat().filter((course) => course.catalogued && course.department.code === code);
