/** The documentation of the plain mode. */
import type { DocumentedMode } from "../response/mode.ts";

export const plainDocumented: DocumentedMode = {
  name: "plain",
  about: `
With \`COMPAT=1\` a server replaces the predecessor: its bodies have an envelope, which its own document describes.
`,
  bodyOf: (payload) => payload,
  exampleOf: ({ example }) => example,
  placeOfFields: "",
  shapes: {},
  problem: { properties: {}, example: {} },
};
