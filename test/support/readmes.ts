/** Every README of the project. */
export const READMES = [
  "README.md",
  "pipeline/README.md",
  "pipeline/campus/README.md",
  "server/README.md",
  "data/README.md",
  "artifacts/README.md",
] as const;
