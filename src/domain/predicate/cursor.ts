import { malformedParameter, type ServiceError } from '../../contract/errors.ts';

/** A position in the text of a parameter, and how to read on from it. White space before a token is skipped. */
export interface Cursor {
  /** Reads what the sticky expression matches next; returns undefined, and reads nothing, where it does not match. */
  take(sticky: RegExp): string | undefined;
  /** True if the sticky expression matches next. Reads nothing. */
  sees(sticky: RegExp): boolean;
  /** Where the next token begins. */
  position(): number;
  /** The error that says what was expected at a position (default: the next one), with line, column and a caret. */
  expected(what: string, position?: number): ServiceError;
  /** The error for something that can be read but is invalid, with line, column and a caret. */
  refused(problem: string, position: number): ServiceError;
}

const whiteSpace = /[ \t\r\n\f]*/y;

/** A sticky expression for a word, or for words with spaces between them, in any case, but not for part of a name. */
export function keyword(word: string): RegExp {
  return new RegExp(`${word.replaceAll(' ', '\\s+')}(?![-\\w.])`, 'iy');
}

/** Reads a text from its beginning. `parameter` is the name that errors give it. */
export function createCursor(text: string, parameter: string): Cursor {
  let end = 0;

  function position(): number {
    whiteSpace.lastIndex = end;
    whiteSpace.test(text);
    return whiteSpace.lastIndex;
  }

  function sees(sticky: RegExp): boolean {
    sticky.lastIndex = position();
    return sticky.test(text);
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
      if (!sees(sticky)) return undefined;
      const start = position();
      end = sticky.lastIndex;
      return text.slice(start, end);
    },
    sees,
    position,
    expected(what, at = position()) {
      const found = /^(?:[-\w]{1,40}|.?)/su.exec(text.slice(at))![0];
      return refused(`Unexpected ${found === '' ? 'end' : `'${found}'`}, expected ${what}`, at);
    },
    refused,
  };
}
