import { malformedParameter } from '../../../contract/errors.ts';
import { pathsOfList } from '../../json/path-syntax.ts';
import { maxPathNames } from '../../paging.ts';
import { collectInTurns } from '../../turns.ts';

/**
 * Responses with some fields only. They are cut out of the stored text: numbers keep every digit, members
 * keep their order, and nothing is parsed.
 */

/** Which members to keep: all of one, or some of its own members. */
type Selection = ReadonlyMap<string, Selection | 'all'>;
type SelectionInProgress = Map<string, SelectionInProgress | 'all'>;

export interface Fields {
  readonly selection: Selection;
  /** The same for requests that ask for the same fields, in whatever order. */
  readonly identity: string;
}

/** What names a resource and its state is in every selection. */
const always = ['id', 'version', 'key'] as const;

const maxFields = 200;

/** Reads dotted paths, separated by commas in one or several texts; undefined for none. Throws `ServiceError` InvalidInput. */
export function parseFields(texts: readonly string[]): Fields | undefined {
  if (texts.length === 0) return undefined;
  const paths = texts.flatMap((text) => {
    const listed = pathsOfList(text);
    if (listed) return listed;
    const about = `"${text.slice(0, 100)}": expected dotted paths without indexes, separated by commas`;
    throw malformedParameter('fields', about);
  });
  if (paths.length > maxFields) throw malformedParameter('fields', `expected at most ${maxFields} paths`);
  if (paths.some((names) => names.length > maxPathNames)) {
    throw malformedParameter('fields', `a path has at most ${maxPathNames} names`);
  }
  const selection: SelectionInProgress = new Map(always.map((each) => [each, 'all']));
  for (const names of paths) add(selection, names);
  return { selection, identity: identityOf(selection) };
}

/** A whole member includes its parts. */
function add(selection: SelectionInProgress, [first, ...rest]: readonly string[]): void {
  const known = selection.get(first!);
  if (known === 'all') return;
  if (rest.length === 0) {
    selection.set(first!, 'all');
    return;
  }
  const parts = known ?? new Map();
  selection.set(first!, parts);
  add(parts, rest);
}

function identityOf(selection: Selection): string {
  const parts = [...selection].sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.map(([each, of]) => JSON.stringify(each) + (of === 'all' ? '' : `(${identityOf(of)})`)).join();
}

/** The texts of documents, joined by commas, with the selected fields only. What a document lacks is absent. */
export function selectFields(documents: string, fields: Fields): string {
  return [...selectEach(documents, fields)].join();
}

/** The same of a page, whose documents may be large. */
export async function selectFieldsInTurns(documents: string, fields: Fields): Promise<string> {
  return (await collectInTurns(selectEach(documents, fields))).join();
}

function* selectEach(documents: string, { selection }: Fields): Iterable<string> {
  const scan: Scan = { text: documents, at: 0 };
  while (scan.at < documents.length) {
    yield select(scan, selection) ?? '{}';
    skipSpaces(scan);
    scan.at += 1;
  }
}

/** The texts of documents that are joined by commas. */
export function* separateDocuments(documents: string): Iterable<string> {
  const scan: Scan = { text: documents, at: 0 };
  while (scan.at < documents.length) {
    skipSpaces(scan);
    const start = scan.at;
    skipValue(scan);
    yield documents.slice(start, scan.at);
    skipSpaces(scan);
    scan.at += 1;
  }
}

/** A place in a valid JSON text. */
interface Scan {
  readonly text: string;
  at: number;
}

/** The selected members of the value at the place, which is passed; of an array those of its elements. */
function select(scan: Scan, selection: Selection): string | undefined {
  skipSpaces(scan);
  const first = scan.text[scan.at];
  if (first === '{') return selectMembers(scan, selection);
  if (first === '[') return selectElements(scan, selection);
  skipValue(scan);
  return undefined;
}

function selectMembers(scan: Scan, selection: Selection): string {
  const members: string[] = [];
  while (enters(scan, '}')) {
    const start = scan.at;
    skipString(scan);
    const literal = scan.text.slice(start, scan.at);
    const wanted = selection.get(literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1));
    skipSpaces(scan);
    // The colon.
    scan.at += 1;
    skipSpaces(scan);
    const valueStart = scan.at;
    const parts = wanted === undefined || wanted === 'all' ? undefined : select(scan, wanted);
    if (parts === undefined && scan.at === valueStart) skipValue(scan);
    if (wanted === 'all') members.push(`${literal}:${scan.text.slice(valueStart, scan.at)}`);
    else if (parts !== undefined) members.push(`${literal}:${parts}`);
  }
  return `{${members.join()}}`;
}

/** Elements without members are left out. */
function selectElements(scan: Scan, selection: Selection): string {
  const elements: string[] = [];
  while (enters(scan, ']')) {
    const selected = select(scan, selection);
    if (selected !== undefined) elements.push(selected);
  }
  return `[${elements.join()}]`;
}

/** Passes an opening bracket or a comma, and returns true; or passes the closing bracket if that is next. */
function enters(scan: Scan, closing: string): boolean {
  skipSpaces(scan);
  const isEnd = scan.text[scan.at] === closing;
  scan.at += 1;
  if (isEnd) return false;
  skipSpaces(scan);
  if (scan.text[scan.at] !== closing) return true;
  // An empty object or array.
  scan.at += 1;
  return false;
}

function skipSpaces(scan: Scan): void {
  while (scan.text.charCodeAt(scan.at) <= 0x20) scan.at += 1;
}

function skipString(scan: Scan): void {
  const { text } = scan;
  for (let end = text.indexOf('"', scan.at + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 1) continue;
    scan.at = end + 1;
    return;
  }
}

const scalarForm = /[-+.0-9A-Za-z]+/y;
const structure = /["[\]{}]/g;

function skipValue(scan: Scan): void {
  const { text } = scan;
  const first = text[scan.at];
  if (first === '"') {
    skipString(scan);
    return;
  }
  if (first !== '{' && first !== '[') {
    scalarForm.lastIndex = scan.at;
    scalarForm.test(text);
    scan.at = scalarForm.lastIndex;
    return;
  }
  let depth = 0;
  do {
    structure.lastIndex = scan.at;
    const found = structure.exec(text)!;
    scan.at = found.index;
    if (found[0] === '"') skipString(scan);
    else {
      depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
      scan.at += 1;
    }
  } while (depth > 0);
}
