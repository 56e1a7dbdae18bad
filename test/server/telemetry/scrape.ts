/** Reads `/metrics` as a monitoring system does: lines of `name{label="value",…} figure`. */
import { ask } from "../http/wire.ts";

export interface Scraped {
  /** The figure of a series with exactly these labels; undefined where there is none. */
  of(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
  /** The labels of every series of a name. */
  labelsOf(name: string): Record<string, string>[];
  readonly names: ReadonlySet<string>;
}

export async function scrape(url: string): Promise<Scraped> {
  const answer = await ask(`${url}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics: ${answer.status}`);
  const series = answer.text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", inside = "", figure = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`not a line of the format: ${line}`);
      const labels = Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
      return { name, labels: labels as Record<string, string>, figure: Number(figure) };
    });
  const same = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) =>
    Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key]);
  return {
    of: (name, labels = {}) => series.find((one) => one.name === name && same(one.labels, labels))?.figure,
    labelsOf: (name) => series.filter((one) => one.name === name).map(({ labels }) => labels),
    names: new Set(series.map(({ name }) => name)),
  };
}
