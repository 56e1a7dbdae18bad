/** Changes as an Atom feed, whose entries the endpoint builds, and as server-sent events. */
import { pagedHeaders } from "../paging.ts";
import { answerOf } from "./json.ts";
import type { Representation } from "./representation.ts";

const NAME = "atom";
const TYPE = "application/atom+xml; charset=utf-8";

export const atom = {
  name: NAME,
  types: [TYPE],
  isFormat: true,
  of: "changes",
  // The feed contains the snapshot id.
  dependsOn: "snapshot",
  namesAddress: true,
  describe: () => ({
    about:
      "an Atom feed (RFC 4287) of the newest 100 changes and all of the newest publication, newest first, each with the page for people as `alternate` and the section as JSON as `related`; `rel=next` leads to older ones (RFC 5005), limit and offset count from the newest",
  }),
  async render({ endpoint, values, page, url }, context) {
    const list = await answerOf(endpoint, values, context);
    if (!("part" in list) || !list.feed) throw new TypeError(`${endpoint.path} has no feed`);
    return {
      ...(await list.feed(page, url({ format: NAME }))),
      headers: { ...pagedHeaders(list, page), "Content-Type": TYPE },
    };
  },
} satisfies Representation;

export const EVENT_STREAM = "text/event-stream";

/** server/http/events sends the endless stream. */
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
