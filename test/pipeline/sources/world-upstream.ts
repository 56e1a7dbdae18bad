/** The test upstream with the visible world, and a client that does not wait. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { type Client, createClient } from "../../../pipeline/sources/http.ts";

export interface World {
  sections: {
    deptCode: string;
    courseNumber: string;
    year: string;
    quarter: string;
    instructors: string[];
    cancelled: boolean;
  }[];
  courses: (Record<string, unknown> & {
    department: string;
    courseNumber: string;
    school: string;
    courseLevel: number;
    prerequisiteTree: unknown;
  })[];
  instructors: (Record<string, unknown> & {
    netid: string;
    schools: string[];
    relatedDepartments: string[];
    shortenedName: string;
  })[];
  calendar: Record<string, string>[];
  larc: Record<string, unknown>[];
}

export interface Upstream {
  urls: Record<"CATALOGUE_URL" | "PREREQUISITES_URL" | "DIRECTORY_URL" | "CALENDAR_URL" | "LARC_URL", string>;
  requests: { path: string; system: string; status: number }[];
  setFaults(rules: object[]): void;
  reset(): void;
  close(): Promise<void>;
}

export function readVisibleWorld(shared: string): World {
  return JSON.parse(gunzipSync(readFileSync(join(shared, "real/world-visible.json.gz"))).toString("utf8")) as World;
}

export async function startUpstream(shared: string, world: object, options: object = {}): Promise<Upstream> {
  const tool = (await import(pathToFileURL(join(shared, "tools/upstream.mjs")).href)) as {
    startUpstream(world: object, options: object): Promise<Upstream>;
  };
  return tool.startUpstream(world, options);
}

export function hastyClient(system: string): Client {
  return createClient(system, {
    concurrency: 4,
    pauseMs: 0,
    timeoutMs: 5000,
    retries: 2,
    backoffMs: 1,
    backoffCapMs: 5,
  });
}
