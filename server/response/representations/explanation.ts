/** How a response is derived, instead of the response. */
import { explain } from "../explain/explain.ts";
import { EXPLANATION_TYPE } from "../explain/shape.ts";
import type { Representation } from "./representation.ts";

const TYPE = `${EXPLANATION_TYPE}; charset=utf-8`;

export const explanation = {
  name: "explanation",
  types: [TYPE],
  isFormat: false,
  // It is not the response: nobody gets it who did not name it.
  onlyByName: true,
  parameter: "explain",
  hasFields: true,
  dependsOn: "request",
  isShared: false,
  marks: {},
  render: async (asked, context) => ({ ...(await explain(asked, context)), headers: { "Content-Type": TYPE } }),
} satisfies Representation;
