/** The modes of the server: plain, and compatible with clients of its predecessor. */
import { toCompat } from "./compat/compat.ts";
import { endpoints } from "./endpoints/all.ts";
import type { Mode } from "./response/mode.ts";
import { REPRESENTATIONS } from "./response/representations/all.ts";
import { departmentCodes } from "./search/known-values.ts";
import { searchIndex } from "./search/search-index.ts";
import { historySections } from "./snapshot/tables/enrollment-history.ts";

export const plain: Mode = {
  endpoints,
  representations: REPRESENTATIONS,
  toErrorBody: (fields) => fields,
  documented: {
    name: "plain",
    about: `
With \`COMPAT=1\` a server replaces the predecessor: its bodies have an envelope, which its own document describes.
`,
    bodyOf: (payload) => payload,
    exampleOf: ({ example }) => example,
    placeOfFields: "",
    shapes: {},
    problem: { properties: {}, example: {} },
  },
  derivations: [departmentCodes, historySections, searchIndex],
};

export const compat: Mode = toCompat(plain);
