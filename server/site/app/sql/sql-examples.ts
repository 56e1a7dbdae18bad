/** Example statements, each with a finding in any data. */
import { termQuery } from "../data/term-names.ts";
import { FIRST_STATEMENT } from "./first-statement.ts";
import type { Drawing } from "./sql-result.tsx";

export interface SqlExample {
  readonly name: string;
  readonly statement: string;
  readonly as?: Drawing;
}

export function sqlExamples(term: string): readonly SqlExample[] {
  const { year, quarter } = termQuery(term);
  return [
    {
      name: "Have averages risen?",
      as: "line",
      statement: FIRST_STATEMENT,
    },
    {
      name: "Do large classes grade lower?",
      as: "bars",
      statement: `with classes as (
  select averageGPA, gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount as students
  from grades
)
select least(students // 50 * 50, 300) as students_from, round(avg(averageGPA), 2) as average, count(*) as classes
from classes
where students > 0
group by all
order by students_from`,
    },
    {
      name: "Which departments grade lowest?",
      as: "bars",
      statement: `select department, round(avg(averageGPA), 2) as average, count(averageGPA) as sections
from grades
group by all
having count(averageGPA) >= 5
order by average
limit 15`,
    },
    {
      name: "Which hours are fullest?",
      as: "bars",
      statement: `select meetings[1].startTime.hour as hour,
  round(100 * sum(try_cast(numCurrentlyEnrolled.totalEnrolled as int)) / sum(try_cast(maxCapacity as int))) as percent_full,
  count(*) as sections
from sections
where year = '${year}' and quarter = '${quarter}' and meetings[1].startTime.hour >= 0
group by 1
order by 1`,
    },
    {
      name: "Which courses are fullest?",
      statement: `select department, courseNumber, round(100 * sum(enrolled) / sum(capacity)) as percent_full,
  sum(waitlist) as waiting, sum(capacity) as seats
from seats
where year = '${year}' and quarter = '${quarter}'
group by all
having sum(capacity) >= 20
order by percent_full desc, waiting desc nulls last
limit 20`,
    },
    {
      name: "Which courses open most doors?",
      statement: `select id, title, len(prerequisiteFor) as needed_for
from courses
order by needed_for desc
limit 20`,
    },
  ];
}
