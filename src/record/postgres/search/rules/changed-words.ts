import type { JsonObject } from '../../../../contract/json.ts';
import type { RuledPlace } from '../../../../domain/search/field-rules.ts';
import type { SearchQuery } from '../../../../domain/search/query/query.ts';
import { type ChangeNumbers, createChangeNumbers } from '../../../../index/plan/change-numbers.ts';

/**
 * What the rules of projects change in documents, as far as a process has read them. A document is known as long as
 * its row has the same version and checksum, which a search asks for in its own snapshot: so nothing has to follow the writes.
 */
export interface ChangedWords {
  /** Those of a project under the rules of a search, in the projection that it sees. */
  of(query: Pick<SearchQuery, 'projectKey' | 'staged' | 'fields'>): ChangedWordsOfRules;
}

export interface ChangedWordsOfRules {
  /** Where those of the asked words stand that stand elsewhere in a document, equal ones as one map; undefined if it has to be read. */
  of(row: DocumentVersion, asked: AskedKeys): WordChangesByKey | undefined;
  /** The same of a document that was read, which is kept. */
  keep(row: DocumentVersion, document: JsonObject, asked: AskedKeys): WordChangesByKey;
  /** True if documents were read for this search, and are known to the next one. */
  hasLearnt(): boolean;
}

/** Those of the words of a search, by `wordKey`. */
export type AskedKeys = Pick<ReadonlySet<string>, 'has'>;

/** By `wordKey`. */
export type WordChangesByKey = ReadonlyMap<string, RuledPlace | 'nowhere'>;

/** A row as it was written. */
export interface DocumentVersion {
  readonly id: string;
  readonly version: number;
  readonly checksum: number;
}

interface Known extends Pick<DocumentVersion, 'version' | 'checksum'> {
  readonly numbers: Uint32Array;
}

/** The documents of a project under some rules. */
interface RuleSet {
  readonly numbers: ChangeNumbers;
  readonly documents: Map<string, Known>;
}

const defaultMaxBytes = 67_108_864;
/** About the memory of a document beside its id and its changes. */
const documentBytes = 220;

/**
 * The memory of a process. No `Cache`: the documents of a set share what words there are, so that all of it is dropped together,
 * once it is full.
 */
export function createChangedWords(maxBytes = defaultMaxBytes): ChangedWords {
  let sets = new Map<string, RuleSet>();
  let bytes = 0;

  return {
    of({ projectKey, staged, fields }) {
      const name = `${projectKey}|${staged ? 's' : 'c'}|${JSON.stringify(fields)}`;
      const { numbers, documents } = sets.get(name) ?? { numbers: createChangeNumbers(fields), documents: new Map() };
      sets.set(name, { numbers, documents });
      const own = sets;
      let isRead = false;
      const ofAsked = new WeakMap<AskedKeys, ReturnType<typeof selecting>>();
      const among = (own: Uint32Array, asked: AskedKeys) => {
        const select = ofAsked.get(asked) ?? selecting(numbers, asked);
        ofAsked.set(asked, select);
        return select(own);
      };
      return {
        of({ id, version, checksum }, asked) {
          const known = documents.get(id);
          if (known?.version !== version || known.checksum !== checksum) return undefined;
          return among(known.numbers, asked);
        },
        keep({ id, version, checksum }, document, asked) {
          isRead = true;
          const before = numbers.bytes();
          const known = { version, checksum, numbers: Uint32Array.from(numbers.numbersOf(document)) };
          if (own === sets) {
            bytes += numbers.bytes() - before + bytesOf(id, known) - bytesOf(id, documents.get(id));
            documents.set(id, known);
          }
          if (bytes > maxBytes) {
            sets = new Map();
            bytes = 0;
          }
          return among(known.numbers, asked);
        },
        hasLearnt: () => isRead && own === sets,
      };
    },
  };
}

function bytesOf(id: string, known: Known | undefined): number {
  return known ? documentBytes + id.length + 4 * known.numbers.length : 0;
}

/**
 * Which of the changes of a document are asked for. It has hundreds of others, and a search looks at twenty thousand documents: so
 * a number tells, and documents with the same changes of these share them.
 */
function selecting({ changes }: ChangeNumbers, asked: AskedKeys): (of: Uint32Array) => WordChangesByKey {
  let isAsked = new Uint8Array(2 * changes.length);
  let known = 0;
  const shared = new Map<string, WordChangesByKey>();
  return (of) => {
    if (isAsked.length < changes.length) {
      const grown = new Uint8Array(2 * changes.length);
      grown.set(isAsked);
      isAsked = grown;
    }
    for (; known < changes.length; known += 1) isAsked[known] = asked.has(changes[known]!.key) ? 1 : 0;
    const own: number[] = [];
    for (const number of of) if (isAsked[number - 1] === 1) own.push(number);
    const name = own.join();
    const found =
      shared.get(name) ?? new Map(own.map((number) => [changes[number - 1]!.key, changes[number - 1]!.ruled]));
    shared.set(name, found);
    return found;
  };
}
