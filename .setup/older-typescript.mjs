/** Loaded before `openapi-typescript`: it needs TypeScript's programming interface, which version 7 does not have, and gets version 5 for it. */
import { register } from "node:module";

const HOOK = `export const resolve = (name, context, next) => next(name === "typescript" ? "typescript-5" : name, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
