/** The test upstream of the shared folder, and what tests use of its worlds. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { compareTerms, courseDigits, GE_CATEGORIES, type Term } from "../../pipeline/contract/vocabulary.ts";
import type { FinalExam, Meeting, Section } from "../../pipeline/contract/section.ts";

export interface WorldSection extends Term {
  deptCode: string;
  courseNumber: string;
  courseTitle: string;
  courseComment: string;
  prerequisiteLink: string;
  sectionCode: string;
  sectionType: string;
  sectionNum: string;
  units: string;
  instructors: string[];
  meetings: Meeting[];
  finalExam: FinalExam;
  maxCapacity: string;
  totalEnrolled: string;
  sectionEnrolled: string;
  numOnWaitlist: string;
  numWaitlistCap: string;
  numRequested: string;
  numNewOnlyReserved: string;
  restrictions: string;
  status: string;
  sectionComment: string;
  geCategories: string[];
  cancelled: boolean;
}

export interface World {
  terms: Term[];
  schools: { name: string; comment: string }[];
  departments: {
    code: string;
    name: string;
    school: string;
    comment: string;
    sectionCodeRangeComments: string[];
    courseNumberRangeComments: string[];
  }[];
  sections: WorldSection[];
}

export interface UpstreamRequest {
  system: string;
  params: Record<string, string>;
  status: number | null;
  fault: string | null;
}

export type Fault = Record<string, unknown>;

export interface Upstream {
  urls: { SCHEDULE_URL: string };
  requests: UpstreamRequest[];
  stats(): { maxConcurrent: number };
  setWorld(world: World): void;
  setFaults(rules: Fault[]): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startUpstream(shared: string, world: World, options: object = {}): Promise<Upstream> {
  const tools = (await import(pathToFileURL(join(shared, "tools/upstream.mjs")).href)) as {
    startUpstream(world: World, options: object): Promise<Upstream>;
  };
  return tools.startUpstream(world, options);
}

export function readVisibleWorld(shared: string): World {
  return JSON.parse(gunzipSync(readFileSync(join(shared, "real/world-visible.json.gz"))).toString("utf8")) as World;
}

/** The terms of a world in order of time. */
export const termsOf = (world: World): Term[] => [...world.terms].sort(compareTerms);

/** What the service must make of a world's section. */
export function toExpected(world: World, section: WorldSection): Section {
  const { totalEnrolled, sectionEnrolled, geCategories, ...fields } = section;
  return {
    ...fields,
    schoolName: world.departments.find(({ code }) => code === section.deptCode)?.school ?? "",
    courseNumeric: courseDigits(section.courseNumber),
    numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled },
    geCategories: GE_CATEGORIES.filter((category) => geCategories.includes(category)),
  };
}
