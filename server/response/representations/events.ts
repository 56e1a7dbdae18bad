/** Changes as server-sent events, which have no end: server/http/events sends them. */
import type { Representation } from "./representation.ts";

export const EVENT_STREAM = "text/event-stream";

export const events = {
  name: "events",
  types: [`${EVENT_STREAM}; charset=utf-8`],
  isFormat: false,
  // It never ends: nobody gets one who did not name it.
  onlyByName: true,
  of: "changes",
  // It refuses them itself, with what else a stream does not have.
  hasFields: true,
  dependsOn: "request",
  isShared: false,
  marks: {},
} satisfies Representation;
