/** The seven systems of a university that a crawl reads, each with its path and handler. */
import type { IncomingHttpHeaders } from "node:http";
import type { CampusResponse, Params } from "./response.ts";
import { createCatalogue } from "./catalogue/catalogue.ts";
import { serveCalendar } from "./pages/calendar.ts";
import { createDirectory } from "./pages/directory.ts";
import { serveLarc } from "./pages/larc.ts";
import { servePrerequisites } from "./pages/prerequisites.ts";
import { createRecords } from "./records/records.ts";
import { serveSchedule } from "./schedule/schedule.ts";
import type { CampusWorld } from "./world.ts";

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
  /** What follows the system's path, decoded. */
  readonly rest: string;
  readonly params: Params;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

interface CampusSystem {
  readonly path: string;
  readonly methods: readonly string[];
  respond(request: CampusRequest): CampusResponse;
}

const PAGES = ["GET", "HEAD"];
const FORMS = ["GET", "HEAD", "POST"];

export function createSystems(world: CampusWorld): readonly CampusSystem[] {
  const records = createRecords(world);
  const catalogue = createCatalogue(world, SYSTEM_PATHS.CATALOGUE_URL);
  const directory = createDirectory(world);
  return [
    { path: SYSTEM_PATHS.SCHEDULE_URL, methods: FORMS, respond: ({ params }) => serveSchedule(world, params) },
    { path: SYSTEM_PATHS.RECORDS_URL, methods: PAGES, respond: ({ rest, headers }) => records(rest, headers) },
    { path: SYSTEM_PATHS.CATALOGUE_URL, methods: PAGES, respond: ({ rest }) => catalogue(rest) },
    {
      path: SYSTEM_PATHS.PREREQUISITES_URL,
      methods: FORMS,
      respond: ({ params }) => servePrerequisites(world, params),
    },
    { path: SYSTEM_PATHS.DIRECTORY_URL, methods: FORMS, respond: ({ method, params }) => directory(method, params) },
    { path: SYSTEM_PATHS.CALENDAR_URL, methods: PAGES, respond: ({ rest }) => serveCalendar(world.today(), rest) },
    { path: SYSTEM_PATHS.LARC_URL, methods: PAGES, respond: ({ rest }) => serveLarc(world, rest) },
  ];
}
