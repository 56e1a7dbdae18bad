/** Example statements. */
import { termQuery } from "../data/terms.ts";

export function sqlExamples(term: string): { name: string; statement: string }[] {
  const { year, quarter } = termQuery(term);
  return [
    {
      name: "Toughest departments",
      statement: `select department, count(*) as sections, round(avg(averageGPA), 2) as gpa
from grades
group by department
having count(*) >= 20
order by gpa
limit 10`,
    },
    {
      name: "Seats by school",
      statement: `select schoolName, count(*) as sections, sum(maxCapacity::int) as seats
from sections
where year = '${year}' and quarter = '${quarter}'
group by schoolName
order by seats desc`,
    },
    {
      name: "Courses that open most doors",
      statement: `select id, title, len(prerequisiteFor) as needed_for
from courses
order by needed_for desc
limit 10`,
    },
  ];
}
