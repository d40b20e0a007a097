/**
 * JSON read by the parser of the runtime, with the names as they are written. The V8 of Node 26 compares a name that has an
 * escape, as it is written, with the name that an object of the same shape had at its place: it takes `"\t"`, a tab, for
 * `"\\"`, a backslash, that was there before. So such names are replaced before it reads them, and put back afterwards.
 *
 * The client package has a copy of this file, since it imports nothing of the service; a test compares them.
 */

/** What becomes of a value. `source` is how a number is written, where the runtime tells it. */
type Revive = (value: unknown, source: string | undefined) => unknown;
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses JSON. Throws `SyntaxError`. */
export function parseJsonWith(revive: Revive, text: string): unknown {
  const { readable, restore } = text.includes('\\') ? replaceEscapedNames(text) : { readable: text };
  const reviver: Reviver = (_, value, context) => revive(restore ? restore(value) : value, context?.source);
  return JSON.parse(readable, reviver as (name: string, value: unknown) => unknown);
}

/** A string, and the colon after it where it is the name of a member. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/gs;

function replaceEscapedNames(text: string) {
  const names: string[] = [];
  let mark = '#';
  while (text.includes(`"${mark}`)) mark += mark;
  const readable = text.replace(strings, (found) => {
    if (!found.endsWith(':') || !found.includes('\\')) return found;
    names.push(JSON.parse(found.slice(0, found.lastIndexOf('"') + 1)));
    return `"${mark}${names.length - 1}":`;
  });
  const nameOf = (name: string) => (name.startsWith(mark) ? names[Number(name.slice(mark.length))]! : name);
  const restore = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value);
    const isMarked = members.some(([name]) => name.startsWith(mark));
    return isMarked ? Object.fromEntries(members.map(([name, member]) => [nameOf(name), member])) : value;
  };
  return { readable, restore: names.length > 0 ? restore : undefined };
}
