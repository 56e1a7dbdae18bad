/** A chart as wide as its card, with its numbers as a table, for screen readers and exact values. */
import { plot, type PlotOptions } from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { DataTable } from "./data-table.tsx";
import { SourceMenu } from "./links.tsx";

/** A point that arrow keys reach, in the values of the axes. */
interface Stop {
  readonly x: number;
  readonly y: number;
  /** The text of its tooltip. */
  readonly text: string;
}

interface ChartProps {
  readonly title: string;
  readonly summary: string;
  readonly options: PlotOptions;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly legend?: ComponentChildren;
  /** The address of the chart's JSON; without it there is no menu of sources. */
  readonly address?: string;
  /** In the order of the arrow keys. The options have the same points with a tooltip. */
  readonly stops?: readonly Stop[];
}

const FRAME: PlotOptions = {
  className: "chart",
  height: 220,
  marginLeft: 40,
  marginRight: 10,
  marginTop: 18,
  marginBottom: 28,
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export function Chart({ title, summary, options, headers, rows, legend, address, stops = [] }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const picture = useRef<ReturnType<typeof plot>>(null);
  const [width, setWidth] = useState(0);
  const [stop, setStop] = useState<number>();
  const caption = useId();

  useLayoutEffect(() => {
    const element = container.current as HTMLDivElement;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (width === 0) return;
    const drawn = plot({ ...FRAME, width, ...options });
    // The content security policy allows no inline style; charts.css has these rules.
    drawn.querySelector("style")?.remove();
    // A picture has one name; ARIA allows none on the groups within it.
    for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-labelledby", caption);
    container.current?.replaceChildren(drawn);
    picture.current = drawn;
  }, [options, width, caption]);

  /** The tooltip follows the pointer; keys put the pointer on a point. */
  function point(to: number | undefined): void {
    setStop(to);
    const [at, drawn] = [to === undefined ? undefined : stops[to], picture.current];
    if (!drawn) return;
    const send = (type: string, clientX = 0, clientY = 0) =>
      drawn.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerType: "mouse", bubbles: true }));
    if (!at) return void send("pointerleave");
    const { left, top } = drawn.getBoundingClientRect();
    const place = (name: "x" | "y", value: number) => Number(drawn.scale(name)?.apply(value) ?? 0);
    send("pointermove", left + place("x", at.x), top + place("y", at.y));
  }

  function step(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    point(Math.max(0, Math.min(stops.length - 1, (stop ?? stops.length - 1) + by)));
  }

  const reached = stop === undefined ? undefined : stops[stop];
  const byKeys =
    stops.length === 0
      ? {}
      : {
          tabIndex: 0,
          role: "group" as const,
          "aria-label": `${title}: arrow keys read the values`,
          onKeyDown: step,
          onFocus: ({ currentTarget }: FocusEvent) => {
            if ((currentTarget as Element).matches(":focus-visible")) point(stops.length - 1);
          },
          onBlur: () => point(undefined),
        };
  return (
    <figure>
      <figcaption id={caption}>
        <strong>{title}</strong> <span class="quiet">{summary}</span>
      </figcaption>
      <div ref={container} class="drawing" {...byKeys} />
      {stops.length > 0 && (
        <p class="hidden" role="status">
          {reached?.text}
        </p>
      )}
      {legend}
      <details>
        <summary>Data table</summary>
        <DataTable caption={title} hidesCaption headers={headers} rows={rows} isNumber={(column) => column > 0} />
      </details>
      {address !== undefined && <SourceMenu name={title} address={address} />}
    </figure>
  );
}
