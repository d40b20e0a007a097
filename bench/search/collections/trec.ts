import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionParts, inOneLine, type JudgedDocument, type Judgement } from './collection.ts';

/** Reads a folder of TREC: documents as `<DOC>`, topics as `<top>`, and judgements of four columns in a file named as `qrels`. */
export function readTrec(folder: string, files: readonly string[]): CollectionParts {
  const texts = files
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  const all = texts.map(([, text]) => text).join('\n');
  const judged = texts.filter(([file]) => /qrel/i.test(file)).map(([, text]) => text);
  return {
    documents: [...all.matchAll(/<DOC>(.*?)<\/DOC>/gis)].map(([, document]) => documentOf(document!)),
    texts: new Map([...all.matchAll(/<top>(.*?)<\/top>/gis)].map(([, topic]) => topicOf(topic!))),
    judgements: judged.flatMap((text) => text.split('\n').flatMap(judgementOf)),
  };
}

const plain = (text: string) => inOneLine(text.replaceAll(/<[^>]*>/g, ' '));

function partOf(text: string, name: string): string {
  return new RegExp(`<${name}>(.*?)</${name}>`, 'is').exec(text)?.[1] ?? '';
}

function documentOf(text: string): JudgedDocument {
  const title = partOf(text, 'title') || partOf(text, 'headline');
  const body = partOf(text, 'text') || text.replace(/<(docno|title|headline)>.*?<\/\1>/gis, ' ');
  return { id: plain(partOf(text, 'docno')), title: plain(title), text: plain(body) };
}

/** The elements of topics have no end tags: a field ends where the next one begins. */
function topicOf(text: string): readonly [string, string] {
  const field = (name: string) => new RegExp(`<${name}>(?:\\s*${name}\\w*:)?([^<]*)`, 'i').exec(text)?.[1] ?? '';
  return [inOneLine(field('num').replace(/number:/i, '')), inOneLine(field('title') || field('desc'))];
}

function judgementOf(line: string): readonly Judgement[] {
  const [query, , document, gain] = line.trim().split(/\s+/);
  return query === undefined || document === undefined || gain === undefined ? [] : [[query, document, Number(gain)]];
}
