/** A README's table of environment variables, generated from a configuration schema. */
import { describeSettings, type Settings } from "../../pipeline/settings/settings.ts";

export function settingsTable(settings: Settings): string {
  const rows = Object.entries(describeSettings(settings)).map(
    ([name, { form, default: initial, description }]) =>
      `| \`${name}\` | ${form} | ${initial === undefined ? "" : `\`${initial}\``} | ${description} |`,
  );
  return ["| variable | value | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}
