/** How a response is derived, instead of the response. */
import { explain } from "../explain/explain.ts";
import type { Representation } from "./representation.ts";

export const explanation = {
  name: "explanation",
  types: [],
  isFormat: false,
  parameter: "explain",
  hasFields: true,
  dependsOn: "request",
  isShared: false,
  marks: {},
  render: explain,
} satisfies Representation;
