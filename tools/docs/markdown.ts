/** The first line of every generated page. */
const generatedNote = '<!-- Made from the code by `npm run docs`. Do not edit: a test compares it. -->';

/** A text in a cell of a Markdown table: bars and line ends would break the row, `<…>` would be hidden as HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}

/** A Markdown table. Every row has as many cells as `head`. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page: the note, a title and its parts, separated by blank lines. */
export function markdownPage(title: string, parts: readonly string[]): string {
  return `${[generatedNote, `# ${title}`, ...parts].join('\n\n')}\n`;
}
