-- How far do the averages of a department's sections lie apart?
SELECT department, count(*) AS sections, round(avg(CAST(averageGPA AS DOUBLE)), 3) AS mean,
  min(averageGPA) AS lowest, max(averageGPA) AS highest, round(stddev_samp(CAST(averageGPA AS DOUBLE)), 3) AS deviation
FROM grades
WHERE averageGPA IS NOT NULL
GROUP BY department
HAVING count(*) >= 5
ORDER BY deviation DESC, department
