/** The SQL that makes a travelled column what it is in the published table. */
export function castOf({ name, type }) {
  const column = `"${name}"`;
  if (type.startsWith("MAP(") && type.endsWith(")")) return `map_from_entries(${column})::${type} AS ${column}`;
  return type.startsWith("DECIMAL") ? `${column}::${type} AS ${column}` : column;
}
