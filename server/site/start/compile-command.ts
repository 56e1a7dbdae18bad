/** `npm run -s compile`: compiles the browser code where it has changed, so that no server needs to. */
import { readBrowserCode } from "./browser-code.ts";

await readBrowserCode();
