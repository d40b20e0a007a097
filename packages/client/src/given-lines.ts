import { InvalidRequestError } from './errors.ts';

const newline = 0x0a;

/**
 * The lines of bytes that a caller gives, without those that are empty. Throws `InvalidRequestError` at the first line that
 * is not UTF-8: decoded in spite of that, two keys could become one.
 */
export async function* givenLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = stream.getReader();
  let open: Uint8Array[] = [];
  let number = 0;
  let decoded = '';

  function lineOf(end: Uint8Array): string {
    number += 1;
    try {
      for (const part of open) decoded += decoder.decode(part, { stream: true });
      return decoded + decoder.decode(end);
    } catch (cause) {
      const advice = "Decode it first, such as with new TextDecoderStream('windows-1252'), or save it as UTF-8.";
      const facts = { status: 0, code: 'InvalidInput' };
      throw new InvalidRequestError(`Line ${number} has bytes that are not UTF-8. ${advice}`, facts, { cause });
    } finally {
      [open, decoded] = [[], ''];
    }
  }

  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      let start = 0;
      for (let at = value.indexOf(newline); at >= 0; at = value.indexOf(newline, start)) {
        const line = lineOf(value.subarray(start, at));
        if (line !== '') yield line;
        start = at + 1;
      }
      if (start < value.length) open.push(value.subarray(start));
    }
    const last = open.length > 0 ? lineOf(new Uint8Array(0)) : '';
    if (last !== '') yield last;
  } finally {
    // Whoever stops early wants no more of it.
    await reader.cancel().catch(() => {});
  }
}
