/** `npm run -s compile`: compiles the browser code if it has changed. */
import { readBrowserCode } from "./browser-code.ts";

await readBrowserCode();
