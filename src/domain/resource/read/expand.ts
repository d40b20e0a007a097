import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { parseStoredJson } from '../../json/parse.ts';
import { type PathStep, pathAtStart } from '../../json/path-syntax.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { maxPathNames } from '../../paging.ts';
import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';
import { collectInTurns } from '../../turns.ts';
import { insertImages } from './expand-images.ts';

/** Reference expansion: puts referenced resources into references as `obj` (decision 16). */

const maxExpandPaths = 20;
const maxExpandLevels = 2;
export const maxLookUps = 500;
// Documents may be large: this bounds the memory of one round of look-ups, before their sizes are known.
const lookUpsAtOnce = 50;

export type ExpandPath = readonly PathStep[];

/** Where references are looked up, and how much may be inserted. */
export interface ExpandSource {
  readonly store: Pick<ResourceStore, 'get' | 'getByKey'>;
  readonly projectKey: string;
  /** Insert the staged projections, which equal the current ones where nothing is staged. */
  readonly staged: boolean;
  /** The public address, before the paths of images. */
  readonly baseUrl: string;
  /** Limit of all inserted texts together. */
  readonly maxCharacters: number;
}

/** True if a path is `images`: it requests the images of variants, besides a reference named `images`. */
function asksForImages(paths: readonly ExpandPath[]): boolean {
  return paths.some(([first, ...rest]) => rest.length === 0 && first === 'images');
}

/** Reads the `expand` parameters: `a.b`, `list.ref` or `list[*].ref`, `list[0].ref`. */
export function parseExpand(texts: readonly string[]): readonly ExpandPath[] {
  if (texts.length > maxExpandPaths) throw malformedParameter('expand', `at most ${maxExpandPaths} may be given`);
  return texts.map((text) => {
    const { steps, rest } = pathAtStart(text.trimStart(), { names: 'word', indexes: true }) ?? {
      steps: [],
      rest: text,
    };
    if (steps.length === 0 || rest.trim() !== '') {
      throw malformedParameter('expand', `"${text}": expected a path such as parent, lines[*].item or lines[0].item`);
    }
    if (steps.length > maxPathNames) throw malformedParameter('expand', `a path has at most ${maxPathNames} steps`);
    return steps;
  });
}

/**
 * The documents with `obj` in the references that the paths reach. A path continues inside `obj`, two levels at most.
 * Other values, and references to nothing, stay as they are. Each resource is looked up once.
 */
export async function expandDocuments(
  documents: readonly JsonObject[],
  paths: readonly ExpandPath[],
  source: ExpandSource,
): Promise<readonly JsonObject[]> {
  const found = new Map<string, Found | undefined>();
  // Each pass finds the references of one more level; the pass that misses none has the result.
  for (;;) {
    const pass: Pass = { found, missing: new Map(), charactersLeft: source.maxCharacters };
    const expanded = await collectInTurns(documents.values().map((each) => expandMembers(each, paths, 0, pass)));
    if (pass.missing.size === 0) return asksForImages(paths) ? insertImages(expanded, source) : expanded;
    await lookUp(pass.missing, found, source);
  }
}

interface Reference {
  readonly by: 'id' | 'key';
  readonly value: string;
}

interface Found {
  readonly document: JsonObject;
  readonly characters: number;
}

interface Pass {
  /** Looked up already; undefined where there is no such resource. */
  readonly found: ReadonlyMap<string, Found | undefined>;
  readonly missing: Map<string, Reference>;
  charactersLeft: number;
}

function expandMembers(object: JsonObject, paths: readonly ExpandPath[], level: number, pass: Pass): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const rest = advance(paths, (step) => step === name);
      return [name, rest.length === 0 ? value : expandValue(value, rest, level, pass)] as const;
    }),
  );
}

function expandValue(value: JsonValue, paths: readonly ExpandPath[], level: number, pass: Pass): JsonValue {
  if (isJsonArray(value)) return expandItems(value, paths, level, pass);
  if (!isJsonObject(value)) return value;
  const reference = referenceOf(value);
  return reference ? withObj(value, reference, paths, level, pass) : expandMembers(value, paths, level, pass);
}

function expandItems(items: JsonArray, paths: readonly ExpandPath[], level: number, pass: Pass): JsonArray {
  return items.map((item, index) => {
    const rest = pathsOfItem(paths, index, isJsonArray(item));
    return rest.length === 0 ? item : expandValue(item, rest, level, pass);
  });
}

/** As in predicates, an array stands for its elements where the path names no index; an array in it does not. */
function pathsOfItem(paths: readonly ExpandPath[], index: number, isArray: boolean): readonly ExpandPath[] {
  return paths.flatMap((path) => {
    const [step] = path;
    if (step === undefined || typeof step === 'string') return isArray ? [] : [path];
    return step.index === '*' || step.index === index ? [path.slice(1)] : [];
  });
}

function advance(paths: readonly ExpandPath[], matches: (step: PathStep) => boolean): readonly ExpandPath[] {
  return paths.filter(([step]) => step !== undefined && matches(step)).map((path) => path.slice(1));
}

function withObj(
  value: JsonObject,
  reference: Reference,
  paths: readonly ExpandPath[],
  level: number,
  pass: Pass,
): JsonObject {
  if (level === maxExpandLevels) return value;
  const name = `${reference.by}=${reference.value}`;
  const target = pass.found.get(name);
  if (target === undefined) {
    if (!pass.found.has(name)) pass.missing.set(name, reference);
    return value;
  }
  pass.charactersLeft -= target.characters;
  if (pass.charactersLeft < 0) throw tooMuch();
  const rest = paths.filter((path) => path.length > 0);
  const obj = rest.length === 0 ? target.document : expandMembers(target.document, rest, level + 1, pass);
  return { ...value, obj };
}

function referenceOf(value: JsonObject): Reference | undefined {
  if (value.typeId !== 'resource') return undefined;
  if (typeof value.id === 'string') return { by: 'id', value: value.id };
  return typeof value.key === 'string' ? { by: 'key', value: value.key } : undefined;
}

async function lookUp(
  missing: ReadonlyMap<string, Reference>,
  found: Map<string, Found | undefined>,
  source: ExpandSource,
): Promise<void> {
  if (found.size + missing.size > maxLookUps) throw tooMuch();
  let charactersLeft = source.maxCharacters;
  for (const batch of batchesOf([...missing], lookUpsAtOnce)) {
    const records = await Promise.all(batch.map(([, reference]) => get(reference, source)));
    for (const [index, [name]] of batch.entries()) {
      const target = foundIn(records[index], source.staged);
      charactersLeft -= target?.characters ?? 0;
      found.set(name, target);
    }
    if (charactersLeft < 0) throw tooMuch();
  }
}

function get({ by, value }: Reference, { store, projectKey }: ExpandSource): ReturnType<ResourceStore['get']> {
  return by === 'id' ? store.get(projectKey, value) : store.getByKey(projectKey, value);
}

function foundIn(record: ResourceRecord | undefined, staged: boolean): Found | undefined {
  if (record === undefined) return undefined;
  const text = (staged ? record.staged : undefined) ?? record.current;
  return { document: parseStoredJson(text) as JsonObject, characters: text.length };
}

function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

function tooMuch(): Error {
  return malformedParameter('expand', 'too many or too large references: ask for a smaller limit or fewer paths');
}
