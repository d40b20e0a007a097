import { type Json, type JsonMap, sameJson } from '../api/json.ts';
import { differences, type Path, pathText, valueAt } from './paths.ts';

/** One line of a three-way merge. */
export interface MergeLine {
  readonly path: Path;
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
  /** Both sides changed it, each to something else: a person decides. */
  readonly isConflict: boolean;
}

/** The changes of both sides since the base, by path. A list is one value. */
export function mergeLines(base: JsonMap, mine: JsonMap, theirs: JsonMap): readonly MergeLine[] {
  const changed = [...differences(base, mine), ...differences(base, theirs)].map(({ path }) => path);
  const outer = changed.filter((path) => !changed.some((other) => isInside(path, other)));
  const unique = [...new Map(outer.map((path) => [pathText(path), path])).values()];
  return unique.map((path) => {
    const [from, ours, others] = [valueAt(base, path), valueAt(mine, path), valueAt(theirs, path)];
    const isConflict = !sameJson(ours, from) && !sameJson(others, from) && !sameJson(ours, others);
    return { path, base: from, mine: ours, theirs: others, isConflict };
  });
}

/** True if the path leads further into the place that the other one names. */
function isInside(path: Path, other: Path): boolean {
  return path.length > other.length && other.every((name, at) => path[at] === name);
}

/** My changes that must still be written over theirs: those without a conflict, and those decided for mine. */
export function remaining(lines: readonly MergeLine[], decidedMine: ReadonlySet<string>): readonly MergeLine[] {
  return lines.filter(({ path, base, mine, theirs, isConflict }) => {
    if (sameJson(mine, base) || sameJson(mine, theirs)) return false;
    return !isConflict || decidedMine.has(pathText(path));
  });
}
