/** Rows as text in columns, the first row with a line below it. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0] ?? '', widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}
