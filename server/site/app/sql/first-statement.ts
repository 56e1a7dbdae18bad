/** The first example of the SQL view. The server runs it once per snapshot. */
export const FIRST_STATEMENT = `select year::int as year,
  round(avg(averageGPA), 3) as average,
  count(*) as sections
from grades
group by all
order by year`;

/** The JSON of `/sql`. */
export interface FirstResult {
  /** The id of the snapshot. */
  readonly snapshot: string;
  readonly statement: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}
