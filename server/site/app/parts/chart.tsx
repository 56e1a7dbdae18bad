/** A chart with its numbers as a table, for screen readers and exact values. */
import { plot, type PlotOptions } from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { DataTable } from "./data-table.tsx";
import { SourceMenu } from "./links.tsx";

interface ChartProps {
  readonly title: string;
  readonly summary: string;
  readonly options: PlotOptions;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly legend?: ComponentChildren;
  /** Of the JSON that the chart shows. */
  readonly address: string;
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

export function Chart({ title, summary, options, headers, rows, legend, address }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const caption = useId();
  useLayoutEffect(() => {
    const picture = plot({ ...FRAME, ...options });
    // The content security policy allows no inline style; charts.css has these rules.
    picture.querySelector("style")?.remove();
    // A picture has one name; ARIA allows none on the groups within it.
    for (const part of picture.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-labelledby", caption);
    container.current?.replaceChildren(picture);
  }, [options, caption]);
  return (
    <figure>
      <figcaption id={caption}>
        <strong>{title}</strong> <span class="quiet">{summary}</span>
      </figcaption>
      <div ref={container} />
      {legend}
      <details>
        <summary>The numbers</summary>
        <DataTable caption={title} hidesCaption headers={headers} rows={rows} isNumber={(column) => column > 0} />
      </details>
      <SourceMenu name={title} address={address} />
    </figure>
  );
}
