/** Averages by year in the size of a word; all on the scale 0 to 4, of which it shows the part from 1.5 on. */
import { type GradeRow, groupBy, meanOf } from "../charts/grade-sums.ts";

const [WIDTH, HEIGHT, LOW, HIGH] = [72, 20, 1.5, 4];

export function Sparkline({ rows }: { rows: readonly GradeRow[] }) {
  const points = [...groupBy(rows, ({ year }) => [year])]
    .flatMap(([year, own]) => {
      const mean = meanOf(own);
      return mean === undefined ? [] : [{ year: Number(year), mean }];
    })
    .toSorted((a, b) => a.year - b.year);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return null;
  const x = (year: number) => 3 + ((year - first.year) / (last.year - first.year)) * (WIDTH - 6);
  const y = (mean: number) => 3 + ((HIGH - Math.max(LOW, mean)) / (HIGH - LOW)) * (HEIGHT - 6);
  const label = `${first.mean.toFixed(2)} in ${first.year}, ${last.mean.toFixed(2)} in ${last.year}`;
  return (
    <svg class="sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline points={points.map(({ year, mean }) => `${x(year)},${y(mean)}`).join(" ")} />
      <circle cx={x(last.year)} cy={y(last.mean)} r="2.5" />
    </svg>
  );
}
