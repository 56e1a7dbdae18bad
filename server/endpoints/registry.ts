/** Every endpoint, one line each. */
export { calendarEndpoint } from "./calendar.ts";
export { changesEndpoint } from "./changes/changes.ts";
export { courseEndpoints } from "./courses.ts";
export { enrollmentHistoryEndpoint } from "./history/enrollment-history.ts";
export { gradesEndpoints } from "./grades.ts";
export { instructorEndpoints } from "./instructors.ts";
export { larcEndpoint } from "./larc.ts";
export { listingEndpoints } from "./listings.ts";
export { scheduleEndpoint } from "./schedule/schedule.ts";
export { searchEndpoint } from "./search.ts";
export { weekEndpoint } from "./week.ts";
