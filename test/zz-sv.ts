import { runSchemathesis } from "./engines/schemathesis.ts";
const r = await runSchemathesis(
  {
    env: { ARTIFACTS_DIR: "/tmp/me/clone/artifacts", DATA_DIR: "/tmp/me/clone/data" },
    folder: "/tmp/me/svf",
    bin: "/tmp/me/sv/bin",
  },
  1000,
);
console.log(JSON.stringify(r, null, 1));
