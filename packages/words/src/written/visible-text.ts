import { createRequire } from 'node:module';
import type * as htmlparser2 from 'htmlparser2';

/**
 * The text that a reader sees of one that is HTML: without tags, attributes, comments, scripts and styles, and with entities decoded. Search
 * finds its words, and highlights show it.
 */

const require = createRequire(import.meta.url);

const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const block = new Set(
  'address article aside audio blockquote body br button canvas caption center col colgroup dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe img input legend li link main map menu meta nav noscript object ol optgroup option p picture pre script section select source style summary svg table tbody td template textarea tfoot th thead title tr ul video'.split(
    ' ',
  ),
);
/** Their content is not for readers. */
const unseen = new Set(['head', 'iframe', 'noscript', 'object', 'script', 'style', 'template']);

const names = [...inline, ...block].join('|');
/** A comment, an end of an element or one that needs none; `a <table>`, `List<String>`, `a < b` and `R&D` have no markup. */
const tag = new RegExp(`<!--|<!doctype\\b|</(?:${names})\\s*>|<(?:br|hr|img|li|p|wbr)(?:\\s[^<>]*)?/?>`, 'i');
const entity = /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});/i;

/** A part of the visible text, and what it stands for in the written one. */
interface Piece {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** An entity: it has another length than what it stands for. */
  readonly isEntity: boolean;
}

/** The visible text of one with markup. */
export interface VisibleText {
  readonly text: string;
  /** Where a part of the visible text, which is not empty, stands in the written one. */
  readonly writtenRange: (start: number, end: number) => readonly [start: number, end: number];
}

/** What a reader sees of a text: the text itself where it has no markup. */
export function visibleTextOf(written: string): string {
  return readMarkup(written)?.text ?? written;
}

/** The visible text and where it stands; undefined where a text has no markup. */
export function readMarkup(written: string): VisibleText | undefined {
  // Most texts have none of these, and this is asked of every text that is written.
  if (!written.includes('<') && !written.includes('&')) return undefined;
  const isHtml = tag.test(written);
  return isHtml || entity.test(written) ? new MarkupReader(written, isHtml).read() : undefined;
}

class MarkupReader {
  readonly #written: string;
  /** False: there are entities, and what looks like a tag is none. */
  readonly #isHtml: boolean;
  readonly #pieces: Piece[] = [];
  #text = '';
  /** True if nothing or a line end was added last: to look into the growing text, V8 would copy it each time. */
  #endsLine = true;
  /** Elements without content for readers that are open. */
  #unseen = 0;

  constructor(written: string, isHtml: boolean) {
    this.#written = written;
    this.#isHtml = isHtml;
  }

  /** By the tokens alone: an element that is not closed costs nothing, however many there are. */
  read(): VisibleText {
    const { Tokenizer } = require('htmlparser2') as typeof htmlparser2;
    const written = this.#written;
    let [behind, opening] = [0, 0];
    let name = '';
    const nothing = () => {};
    const open = (last: number) => {
      behind = last + 1;
      this.#tag(name, 1, opening, behind);
    };
    const skip = (_: number, last: number) => {
      behind = written.indexOf('>', last) + 1 || written.length;
    };
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        ...{
          onattribdata: nothing,
          onattribentity: nothing,
          onattribend: nothing,
          onattribname: nothing,
          onend: nothing,
        },
        ...{ oncomment: skip, oncdata: skip, ondeclaration: skip, onprocessinginstruction: skip },
        ontext: (start, end) => {
          behind = end;
          this.#add(written.slice(start, end), start, end);
        },
        ontextentity: (code, end) => {
          this.#add(String.fromCodePoint(code), behind, end);
          behind = end;
        },
        onopentagname: (start, end) => {
          opening = start - 1;
          name = written.slice(start, end).toLowerCase();
        },
        onopentagend: open,
        onselfclosingtag: open,
        onclosetag: (start, end) => {
          skip(start, end);
          this.#tag(written.slice(start, end).toLowerCase(), -1, start - 2, behind);
        },
      },
    );
    tokenizer.write(written);
    tokenizer.end();
    // A `<` that nothing closes is no tag.
    if (behind < written.length) this.#add(written.slice(behind), behind, written.length);
    return {
      text: this.#text,
      writtenRange: (start, end) => [this.#place(start, 'start'), this.#place(end - 1, 'end')],
    };
  }

  #add(text: string, start: number, end: number): void {
    if (this.#unseen > 0) return;
    this.#pieces.push({ at: this.#text.length, start, end, isEntity: text.length !== end - start });
    this.#text += text;
    this.#endsLine = text.endsWith('\n');
  }

  #tag(name: string, depth: 1 | -1, start: number, end: number): void {
    if (unseen.has(name)) this.#unseen = Math.max(0, this.#unseen + depth);
    if (inline.has(name)) return;
    if (!this.#isHtml) this.#add(this.#written.slice(start, end), start, end);
    else if (!this.#endsLine) this.#add('\n', start, end);
  }

  /** Where a character of the visible text begins, or ends, in the written one. */
  #place(at: number, edge: 'start' | 'end'): number {
    const piece = this.#pieces.findLast((each) => each.at <= at)!;
    if (piece.isEntity) return piece[edge];
    return piece.start + (at - piece.at) + (edge === 'end' ? 1 : 0);
  }
}
