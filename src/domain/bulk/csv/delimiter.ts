import { ServiceError } from '../../../contract/errors.ts';

/** Delimiters of CSV. Parameters accept a name for characters that are awkward in a URL. */
export const delimiterChars = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
export type Delimiter = keyof typeof delimiterChars;

const names = Object.keys(delimiterChars) as readonly Delimiter[];

/** Names that `delimiterNamed` accepts. */
export const delimiterForm = new RegExp(`^(?:[,;\\t|]|${names.join('|')})$`);

/** The delimiter of a name or a character. */
export function delimiterNamed(text: string): Delimiter | undefined {
  return names.find((name) => name === text || delimiterChars[name] === text);
}

/** The first line of a CSV that names the delimiter, as Excel writes and reads it; with its end. */
const separatorLine = /^"?sep=([^\r\n]?)"?[,;\t|]*(?:\r\n|\n|\r|$)/i;

/** True for the first line of a CSV that names its delimiter. */
export function isSeparatorLine(line: string): boolean {
  return separatorLine.test(line);
}

/**
 * How a CSV is divided, by its first lines. Without a line `sep=` and without a name it is what the header has outside of
 * quotes and backticks. `separatorLine`: the characters of that line, before the header. Throws 400 `InvalidInput` where the
 * delimiter may be more than one of comma, semicolon and tab.
 */
export function divisionOf(beginning: string, named: Delimiter | undefined) {
  const [line = '', char] = separatorLine.exec(beginning) ?? [];
  if (char !== undefined) {
    const delimiter = delimiterNamed(char);
    if (delimiter === undefined) throw wrong(`sep=${char}: expected one of ${names.join(', ')} as the delimiter`);
    if (named !== undefined && named !== delimiter) {
      throw wrong(`the line sep=${char} names another delimiter than the request: ${named}`);
    }
    return { delimiter, separatorLine: line.length };
  }
  if (named !== undefined) return { delimiter: named, separatorLine: 0 };
  const header = headerOf(beginning).replaceAll(/"(?:[^"]|"")*"?|`(?:[^`]|``)*`/g, '');
  const seen = names.filter((name) => header.includes(delimiterChars[name]));
  const likely = seen.filter((name) => name !== 'pipe');
  if (likely.length > 1 || (likely.length === 0 && seen.length > 0)) {
    const advice = seen.map((name) => `delimiter=${name}`).join(' or ');
    throw wrong(`the header has ${seen.map((name) => `${name}s`).join(' and ')}; name the delimiter, ${advice}`);
  }
  return { delimiter: likely[0] ?? 'comma', separatorLine: 0 };
}

/** The first record: up to the first end of a line outside of quotes, or all of it. */
function headerOf(text: string): string {
  const lines = createLineEnds();
  return text.slice(0, lines.endIn(Buffer.from(text, 'latin1')));
}

const [newline, carriageReturn, quote] = [0x0a, 0x0d, 0x22];

/** Finds the end of the first record while bytes arrive. */
export function createLineEnds() {
  let isQuoted = false;
  return {
    /** The place of the end in these bytes; undefined where it is not in them. */
    endIn(bytes: Uint8Array): number | undefined {
      for (const [at, byte] of bytes.entries()) {
        if (byte === quote) isQuoted = !isQuoted;
        else if (!isQuoted && (byte === newline || byte === carriageReturn)) return at;
      }
      return undefined;
    },
  };
}

function wrong(problem: string): ServiceError {
  return new ServiceError('InvalidInput', `The CSV: ${problem}.`);
}
