/** The seven systems of a university that a crawl reads, each with its path and its handler. */
import type { IncomingHttpHeaders } from "node:http";
import type { CampusResponse, Params } from "./response.ts";
import { createCatalogue } from "../catalogue/catalogue.ts";
import { answerCalendar } from "../pages/calendar.ts";
import { createDirectory } from "../pages/directory.ts";
import { answerLarc } from "../pages/larc.ts";
import { answerPrerequisites } from "../pages/prerequisites.ts";
import type { PageData } from "../page-data.ts";
import type { RecordsOffice } from "../records/records.ts";
import { answerSchedule } from "../schedule/schedule.ts";

export const SYSTEM_PATHS = {
  SCHEDULE_URL: "/perl/WebSoc",
  RECORDS_URL: "/records/",
  CATALOGUE_URL: "/catalogue/",
  PREREQUISITES_URL: "/cob/prrqcgi",
  DIRECTORY_URL: "/directory/",
  CALENDAR_URL: "/calendars/quarterly/",
  LARC_URL: "/larc/",
} as const;
export type CampusUrl = keyof typeof SYSTEM_PATHS;

export interface CampusRequest {
  /** The path below the system's, decoded. */
  readonly rest: string;
  readonly params: Params;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

export interface CampusSystem {
  readonly path: string;
  readonly methods: readonly string[];
  answer(request: CampusRequest): CampusResponse;
}

const PAGES = ["GET", "HEAD"];
const FORMS = ["GET", "HEAD", "POST"];

/** The records office serves files instead of pages. */
export function createSystems(world: PageData, records: RecordsOffice): readonly CampusSystem[] {
  const catalogue = createCatalogue(world, SYSTEM_PATHS.CATALOGUE_URL);
  const directory = createDirectory(world);
  return [
    { path: SYSTEM_PATHS.SCHEDULE_URL, methods: FORMS, answer: ({ params }) => answerSchedule(world, params) },
    { path: SYSTEM_PATHS.RECORDS_URL, methods: PAGES, answer: ({ rest, headers }) => records(rest, headers) },
    { path: SYSTEM_PATHS.CATALOGUE_URL, methods: PAGES, answer: ({ rest }) => catalogue(rest) },
    {
      path: SYSTEM_PATHS.PREREQUISITES_URL,
      methods: FORMS,
      answer: ({ params }) => answerPrerequisites(world, params),
    },
    { path: SYSTEM_PATHS.DIRECTORY_URL, methods: FORMS, answer: ({ method, params }) => directory(method, params) },
    { path: SYSTEM_PATHS.CALENDAR_URL, methods: PAGES, answer: ({ rest }) => answerCalendar(world, rest) },
    { path: SYSTEM_PATHS.LARC_URL, methods: PAGES, answer: ({ rest }) => answerLarc(world, rest) },
  ];
}
