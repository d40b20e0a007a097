import { malformedParameter, type ServiceError } from '../../contract/errors.ts';

/** A place in the text of a parameter, and how to read on from it. White space before a token is skipped. */
export interface Cursor {
  /** Reads what the sticky expression matches next; undefined (and stays) where it does not match. */
  take(sticky: RegExp): string | undefined;
  /** True if the sticky expression matches next. Reads nothing. */
  sees(sticky: RegExp): boolean;
  /** Where the next token begins. */
  place(): number;
  /** The error that says what was expected at a place (default: next), with line, column and a caret. */
  expected(what: string, place?: number): ServiceError;
  /** An error about something that can be read but means nothing, with the same signs of its place. */
  refused(problem: string, place: number): ServiceError;
}

const whiteSpace = /[ \t\r\n\f]*/y;

/** The sticky expression of a word, or of words with blanks between them, in any case; not of the beginning of a name. */
export function keyword(word: string): RegExp {
  return new RegExp(`${word.replaceAll(' ', '\\s+')}(?![-\\w.])`, 'iy');
}

/** Reads a text from its beginning. `parameter` is the name that errors give it. */
export function createCursor(text: string, parameter: string): Cursor {
  let position = 0;

  function place(): number {
    whiteSpace.lastIndex = position;
    whiteSpace.test(text);
    return whiteSpace.lastIndex;
  }

  function matchHere(sticky: RegExp): string | undefined {
    sticky.lastIndex = place();
    return sticky.exec(text)?.[0];
  }

  function refused(problem: string, at: number): ServiceError {
    const before = text.slice(0, at).split('\n');
    const column = before.at(-1)!.length;
    const line = text.split('\n')[before.length - 1]!.replaceAll(/[\t\r\f]/g, ' ');
    const where = `(line ${before.length}, column ${column + 1}):\n${line}\n${' '.repeat(column)}^`;
    return malformedParameter(parameter, `Syntax error while parsing '${parameter}'. ${problem} ${where}`);
  }

  return {
    take(sticky) {
      const start = place();
      const token = matchHere(sticky);
      if (token !== undefined) position = start + token.length;
      return token;
    },
    sees: (sticky) => matchHere(sticky) !== undefined,
    place,
    expected(what, at = place()) {
      const found = /^(?:[-\w]{1,40}|.?)/su.exec(text.slice(at))![0];
      return refused(`Unexpected ${found === '' ? 'end' : `'${found}'`}, expected ${what}`, at);
    },
    refused,
  };
}
