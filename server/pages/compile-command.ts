/** `npm run -s compile`: compiles the browser code, so that no server needs to. */
import { compileBrowserCode } from "./browser-code.ts";

await compileBrowserCode();
