-- How many seats does each term offer in each general education category?
SELECT year, quarter, category, count(*) AS sections, sum(capacity) AS seats
FROM (
  SELECT year, quarter, unnest(geCategories) AS category, TRY_CAST(maxCapacity AS INTEGER) AS capacity
  FROM sections
  WHERE sectionType = 'Lec' AND NOT cancelled
) AS supply
GROUP BY year, quarter, category
ORDER BY year, quarter, category
