/** Every README of the project, and the pages beside them. */
export const READMES = [
  "README.md",
  "pipeline/README.md",
  "pipeline/campus/README.md",
  "server/README.md",
  "data/README.md",
  "artifacts/README.md",
  ".setup/release/README.md",
  "test/README.md",
  "artifacts/CLIENTS.md",
  "artifacts/ENGINES.md",
] as const;
