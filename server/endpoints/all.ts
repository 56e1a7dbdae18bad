/** Every endpoint: the source of routes and documentation. */
import { offerAsOf } from "../response/as-of.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { offerExplanation } from "../response/explain/explain.ts";
import { offerFormats } from "../response/formats/format.ts";
import { offerPages } from "../response/paging.ts";
import { changesEndpoint } from "./changes/changes.ts";
import { courseEndpoints } from "./courses.ts";
import { enrollmentHistoryEndpoint } from "./history/enrollment-history.ts";
import { gradesEndpoints } from "./grades/grades.ts";
import { instructorEndpoints } from "./instructors.ts";
import { larcEndpoint } from "./larc.ts";
import { listingEndpoints } from "./listings.ts";
import { scheduleEndpoint } from "./schedule/schedule.ts";
import { searchEndpoint } from "./search.ts";
import { weekEndpoint } from "./week.ts";

export const endpoints: readonly Endpoint[] = [
  scheduleEndpoint,
  ...listingEndpoints,
  ...gradesEndpoints,
  ...instructorEndpoints,
  ...courseEndpoints,
  weekEndpoint,
  larcEndpoint,
  enrollmentHistoryEndpoint,
  searchEndpoint,
  changesEndpoint,
].map((endpoint) => offerExplanation(offerAsOf(offerFormats(offerPages(endpoint)))));
