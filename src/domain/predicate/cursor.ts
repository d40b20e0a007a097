import { malformedParameter, type ServiceError } from '../../contract/errors.ts';

const whiteSpace = /[ \t\r\n\f]*/y;

/** A sticky expression for a word, or for words with spaces between them, in any case, but not for part of a name. */
export function keyword(word: string): RegExp {
  return new RegExp(`${word.replaceAll(' ', '\\s+')}(?![-\\w.])`, 'iy');
}

export type Cursor = ReturnType<typeof createCursor>;

/**
 * A position in the text of a parameter, first at its beginning, and how to read on from it. White space before a token is
 * skipped. `parameter` is the name that errors give it.
 */
export function createCursor(text: string, parameter: string) {
  let end = 0;

  /** Where the next token begins. */
  function position(): number {
    whiteSpace.lastIndex = end;
    whiteSpace.test(text);
    return whiteSpace.lastIndex;
  }

  /** True if the sticky expression matches next. Reads nothing. */
  function sees(sticky: RegExp): boolean {
    sticky.lastIndex = position();
    return sticky.test(text);
  }

  /** The error for something that can be read but is invalid, with line, column and a caret. */
  function refused(problem: string, at: number): ServiceError {
    const before = text.slice(0, at).split('\n');
    const column = before.at(-1)!.length;
    const line = text.split('\n')[before.length - 1]!.replaceAll(/[\t\r\f]/g, ' ');
    const where = `(line ${before.length}, column ${column + 1}):\n${line}\n${' '.repeat(column)}^`;
    return malformedParameter(parameter, `Syntax error while parsing '${parameter}'. ${problem} ${where}`);
  }

  return {
    /** Reads what the sticky expression matches next; returns undefined, and reads nothing, where it does not match. */
    take(sticky: RegExp): string | undefined {
      if (!sees(sticky)) return undefined;
      const start = position();
      end = sticky.lastIndex;
      return text.slice(start, end);
    },
    sees,
    position,
    /** The error that says what was expected at a position (default: the next one), with line, column and a caret. */
    expected(what: string, at = position()): ServiceError {
      const found = /^(?:[-\w]{1,40}|.?)/su.exec(text.slice(at))![0];
      return refused(`Unexpected ${found === '' ? 'end' : `'${found}'`}, expected ${what}`, at);
    },
    refused,
  };
}
