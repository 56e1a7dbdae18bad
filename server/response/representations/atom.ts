/** Changes as an Atom feed; the endpoint builds its entries. */
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
