/** Preloaded into a server of a test (`--require`): collects all garbage at SIGUSR2, so that its memory can be compared. */
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", () => collect());
