/** A chart in a figure with its numbers as a table, for those who do not see it or want them exactly. */
import { plot, type PlotOptions } from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { DataTable } from "./data-table.tsx";

interface ChartProps {
  readonly title: string;
  /** What the chart shows, in a sentence. */
  readonly says: string;
  readonly options: PlotOptions;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly legend?: ComponentChildren;
}

const FRAME: PlotOptions = {
  className: "chart",
  width: 420,
  height: 220,
  marginLeft: 40,
  marginRight: 10,
  marginTop: 18,
  marginBottom: 28,
};

export function Chart({ title, says, options, heads, rows, legend }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const caption = useId();
  useLayoutEffect(() => {
    const picture = plot({ ...FRAME, ...options });
    // This page's policy allows no style but its files: charts.css says the same.
    picture.querySelector("style")?.remove();
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-labelledby", caption);
    place.current?.replaceChildren(picture);
  }, [options, caption]);
  return (
    <figure>
      <figcaption id={caption}>
        <strong>{title}</strong> <span class="quiet">{says}</span>
      </figcaption>
      <div ref={place} />
      {legend}
      <details>
        <summary>The numbers</summary>
        <DataTable caption={title} hidesCaption heads={heads} rows={rows} isNumber={(column) => column > 0} />
      </details>
    </figure>
  );
}
