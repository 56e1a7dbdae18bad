// What a user of eventsource writes: `node eventsource.mjs <stream> <seconds>`.
import { EventSource } from "eventsource";

const [, , url, seconds] = process.argv;
const source = new EventSource(url);
let changes = 0;
const snapshots = [];
source.addEventListener("message", ({ data }) => {
  JSON.parse(data);
  changes++;
});
source.addEventListener("snapshot", ({ data }) => snapshots.push(JSON.parse(data)));
source.addEventListener("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
setTimeout(
  () => {
    process.stdout.write(JSON.stringify({ changes, snapshots }));
    process.exit(0);
  },
  1000 * Number(seconds),
);
