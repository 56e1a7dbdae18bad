/** Types of the API's responses, as this server's schemas describe them. */
import type { z } from "zod";
import type { SHAPES, ShapeName } from "../../../response/shapes/shapes.ts";

export type ResponseBody<Name extends ShapeName> = z.infer<(typeof SHAPES)[Name]["schema"]>;
