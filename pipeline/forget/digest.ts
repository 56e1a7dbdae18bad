import { createHash } from "node:crypto";

export const digestOfText = (text: string): string => createHash("sha256").update(text).digest("hex");
