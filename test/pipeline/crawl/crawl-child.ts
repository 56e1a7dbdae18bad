/** A crawl in a process of its own, for tests that kill it: `crawl-child.ts <address> <landing root>`. */
import { crawlTerm } from "../../../pipeline/crawl/crawl-term.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { readListing } from "../../../pipeline/crawl/schedule-readers.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";

const [address = "", landingRoot = ""] = process.argv.slice(2);
const url = new URL(address);
const client = createClient("schedule", {
  concurrency: 2,
  pauseMs: 0,
  timeoutMs: 5_000,
  retries: 0,
  backoffMs: 1,
  backoffCapMs: 1,
});
const { departments } = await client.request({ url }, readListing);
await crawlTerm({
  client,
  url,
  term: { year: "2017", quarter: "Fall" },
  departments,
  landingRoot,
  source: "test campus",
  maxAgeMs: 3_600_000,
  now: () => new Date("2017-10-01T12:00:00Z"),
  tally: createTally("schedule"),
  log: silentLog,
});
