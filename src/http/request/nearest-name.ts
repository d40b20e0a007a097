import { distanceWithin } from '#words';

/** Shorter names say too little to be part of another one by intention: `by` is in `sortBy`. */
const minPartLength = 4;

/**
 * The known name that a misspelled one most likely stands for: with at most two typos, whatever its case and signs
 * (`with_total`, `where[]`), or one that is part of it or that it is part of (`whereClause`). Of a family, such as
 * `text.*`, it is the name with the right beginning. Undefined where none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name);
  return nearestByTypos(name, known) ?? known.find((each) => !each.endsWith('*') && isPart(plainOf(each), plain));
}

/** The known name that is at most two typos away. */
function nearestByTypos(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name);
  let nearest: string | undefined;
  let least = 3;
  for (const each of known) {
    const candidate = each.endsWith('*') ? memberOf(each, name) : each;
    const other = plainOf(candidate);
    // A short name is not near to everything that is as short.
    const most = Math.min(plain.length, other.length) <= 3 ? 1 : 2;
    const distance = distanceWithin(plain, other, most);
    if (distance === undefined || distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `text.en` for `txt.en` and the family `text.*`; the family itself for a name without a member. */
function memberOf(family: string, name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? family : `${family.slice(0, -1)}${name.slice(dot + 1)}`;
}

function isPart(a: string, b: string): boolean {
  const [part, whole] = a.length < b.length ? [a, b] : [b, a];
  return part.length >= minPartLength && whole.includes(part);
}
