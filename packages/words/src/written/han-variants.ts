import table from './han.json' with { type: 'json' };

/**
 * Chinese words in the other characters: `运动鞋` is `運動鞋`. Not by folding: in Japanese 机 is a desk, and 機 a machine.
 */

interface Characters {
  /** The simplified character of each traditional one. */
  readonly simplified: ReadonlyMap<string, string>;
  /** The traditional ones of each simplified one, and itself where there are several: *台灣* is written for *臺灣*. */
  readonly traditional: ReadonlyMap<string, readonly string[]>;
}

let loaded: Characters | undefined;

function load(): Characters {
  const pairs = [...table.traditional].map((each, at) => [each, table.simplified[at]!] as const);
  const groups = [...Map.groupBy(pairs, ([, simple]) => simple)].map(([simple, all]) => {
    return [simple, [...all.map(([each]) => each), ...(all.length > 1 ? [simple] : [])]] as const;
  });
  return { simplified: new Map(pairs), traditional: new Map(groups) };
}

const mostVariants = 8;

/** A word in simplified characters, or, where it has no traditional ones, in these: each way to choose them, up to eight. */
export function hanVariants(word: string): readonly string[] {
  loaded ??= load();
  const { simplified, traditional } = loaded;
  const simple = word.replace(/./gu, (each) => simplified.get(each) ?? each);
  if (simple !== word) return [simple];
  let variants = [''];
  for (const character of word) {
    const choices = traditional.get(character) ?? [character];
    variants = variants.flatMap((each) => choices.map((choice) => each + choice)).slice(0, mostVariants);
  }
  return variants.filter((each) => each !== word);
}
