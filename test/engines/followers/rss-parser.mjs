// What a user of rss-parser writes: `node rss-parser.mjs <feed>`.
import Parser from "rss-parser";

const { items, link } = await new Parser().parseURL(process.argv[2]);
process.stdout.write(JSON.stringify({ entries: items.length, page: items[0].link, feed: link }));
