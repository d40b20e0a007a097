import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { pathSyntax } from '../json/path-syntax.ts';
import { type Path, type Predicate, pathsOf } from '../predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../predicate/path.ts';
import { omit, type Selection, selectionOf } from '../resource/read/fields.ts';
import { type Boost, decayPath, isDecay } from '../search/boosts.ts';
import type { SearchSettings } from '../search/settings.ts';

/** Fields of the service that readers of what is published never see: they name clients, and drafts. */
const alwaysPrivate = ['createdBy', 'lastModifiedBy', 'hasStagedChanges'] as const;

const systemSelection = selectionOf(alwaysPrivate.map((name) => [name]));

/** The paths that readers of what is published neither see nor ask about; each with all that is below it. */
export class PrivatePaths {
  /** Those of the project, as documents have them. */
  readonly #own: readonly Path[];
  readonly #selection: Selection;
  /** Equal for equal paths: what is sent with other paths is another representation. */
  readonly identity: string;

  constructor(paths: readonly Path[]) {
    // A short path is what predicates mean by it, and what it says.
    this.#own = paths.flatMap((path) => [path, ...throughArrays(path)]);
    const all = [...alwaysPrivate.map((name) => [name]), ...this.#own];
    this.#selection = selectionOf(all);
    this.identity = JSON.stringify(['published', ...this.#own]);
  }

  /** The text of a document without them. `isResource`: false for a document of a companion project. */
  textWithout(document: string, isResource: boolean): string {
    return stringifyJson(omit(parseStoredJson(document), isResource ? this.#selection : systemSelection));
  }

  without(document: JsonObject): JsonObject {
    return omit(document, this.#selection) as JsonObject;
  }

  /** Throws 400 where a path is one of them or below one, whether or not any resource has it. */
  refuse(path: Path): void {
    if (!this.#covers(path)) return;
    throw new ServiceError('InvalidInput', `The field ${pathSyntax(path)} is not available to this token.`);
  }

  /** Refuses the paths of a predicate. */
  refuseIn(predicate: Predicate): void {
    for (const { path, kind } of pathsOf(predicate)) {
      this.refuse(path);
      // A point is read from the members of the object at its path.
      if (kind === 'circle') for (const own of this.#own) if (beginsWith(own, path)) this.refuse(own);
    }
  }

  /** Settings by which a search finds no word of these paths, and ranks by none of their values. */
  restricted(settings: SearchSettings): SearchSettings {
    const fields = settings.fields.filter((rule) => !('weight' in rule && this.#covers(rule.path)));
    const excluded = this.#own.map((path) => ({ path, weight: 0 }));
    return {
      ...settings,
      fields: [...excluded, ...fields],
      boosts: settings.boosts.filter((boost) => !pathsOfBoost(boost).some((path) => this.#covers(path))),
    };
  }

  #covers(path: Path): boolean {
    const meant = [path, ...throughArrays(path)];
    return meant.some(
      (each) =>
        alwaysPrivate.some((name) => each[0] === name) ||
        this.#own.some((privatePath) => beginsWith(each, privatePath)),
    );
  }
}

/** The path that a name of ArrayTestType falls through to (decision 15). */
function throughArrays(path: Path): readonly Path[] {
  return arrayTestNames.has(path[0]!) ? [[arrayTestField, ...path]] : [];
}

function beginsWith(path: Path, beginning: Path): boolean {
  return beginning.every((name, at) => name === path[at]);
}

function pathsOfBoost(boost: Boost): readonly Path[] {
  return isDecay(boost) ? [decayPath(boost)] : pathsOf(boost.predicate).map(({ path }) => path);
}
