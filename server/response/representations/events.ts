/** Changes as server-sent events; server/http/events sends the endless stream. */
import type { Representation } from "./representation.ts";

export const EVENT_STREAM = "text/event-stream";

export const events = {
  name: "events",
  types: [`${EVENT_STREAM}; charset=utf-8`],
  // A wildcard must not select an endless stream.
  onlyByName: true,
  of: "changes",
  // The stream itself rejects `fields`, along with other unsupported parameters.
  hasFields: true,
  dependsOn: "request",
  describe: () => ({
    about:
      "server-sent events, for `Accept: text/event-stream` only: first `event: snapshot` with the id of the snapshot as a JSON string, then the changes after `Last-Event-ID` or else `since`, if one is given, then every change within a second of its publication, each as JSON in `data` with an `id` to resume from; a comment at least every four seconds, or once after each publication `event: snapshot` with an `id`. Without limit, offset, until and asOf",
  }),
} satisfies Representation;
