/** The README's table of environment variables, as the two schemas declare them. */
import { pipelineSettings } from "../../pipeline/config.ts";
import { describeSettings } from "../../pipeline/settings/settings.ts";
import { serverSettings } from "../../server/config.ts";

export function settingsTable(): string {
  const all = { ...describeSettings(pipelineSettings), ...describeSettings(serverSettings) };
  const rows = Object.entries(all).map(
    ([name, { form, default: usual, description }]) =>
      `| \`${name}\` | ${form} | ${usual === undefined ? "" : `\`${usual}\``} | ${description} |`,
  );
  return ["| variable | value | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}
