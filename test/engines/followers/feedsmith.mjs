// What a user of feedsmith writes: `node feedsmith.mjs <feed>`.
import { parseFeed } from "feedsmith";

const { feed } = parseFeed(await (await fetch(process.argv[2])).text());
const pageOf = ({ links }) => links.find(({ rel }) => rel === "alternate").href;
process.stdout.write(
  JSON.stringify({ entries: feed.entries.length, page: pageOf(feed.entries[0]), feed: pageOf(feed) }),
);
