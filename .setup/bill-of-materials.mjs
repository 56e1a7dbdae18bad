/** What a release is made of, as CycloneDX JSON: names, exact versions, hashes and licences as npm gives them, of the packages that are in it. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MEGABYTE = 1024 * 1024;

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** `@scope/name@1.2.3`: how npm refers to a component. */
function referenceOf(folder) {
  const { name, version } = readJson(join(ROOT, folder, "package.json"));
  return `${name}@${version}`;
}

/** @param packages folders such as `node_modules/h3`; one that npm does not list is an error */
export function writeBillOfMaterials(to, packages) {
  // Without `--omit=dev`: npm then also omits packages that a development dependency shares with the others.
  const command = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
  const all = JSON.parse(execFileSync("npm", command, { cwd: ROOT, encoding: "utf8", maxBuffer: 100 * MEGABYTE }));
  const { name, version } = readJson(join(ROOT, "package.json"));
  const shipped = new Set(packages.map(referenceOf));
  const components = all.components.filter((component) => shipped.has(component["bom-ref"]));
  const unknown = [...shipped].filter((one) => !components.some((component) => component["bom-ref"] === one));
  if (unknown.length > 0) throw new Error(`npm does not list ${unknown.join(", ")}`);
  const references = new Set([`${name}@${version}`, ...shipped]);
  const dependencies = all.dependencies
    .filter(({ ref }) => references.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => references.has(one)) }));
  // A serial number, a time and the npm that was at hand would make other bytes of equal sources.
  const { $schema, bomFormat, specVersion, metadata } = all;
  const bill = {
    ...{ $schema, bomFormat, specVersion, version: 1 },
    metadata: { component: { ...metadata.component, name } },
    ...{ components, dependencies },
  };
  writeFileSync(to, `${JSON.stringify(bill, null, 2)}\n`);
}
