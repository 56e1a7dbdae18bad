/** The explanation of how a response is derived, instead of the response. */
import { explain } from "../explain/explain.ts";
import { EXPLANATION_TYPE } from "../explain/shape.ts";
import type { Representation } from "./representation.ts";

const TYPE = `${EXPLANATION_TYPE}; charset=utf-8`;

export const explanation = {
  name: "explanation",
  types: [TYPE],
  isFormat: false,
  // A wildcard must not select it, because it is not the response.
  onlyByName: true,
  parameter: "explain",
  hasFields: true,
  dependsOn: "request",
  isShared: false,
  cacheKeyParts: {},
  render: async (params, context) => ({ ...(await explain(params, context)), headers: { "Content-Type": TYPE } }),
} satisfies Representation;
