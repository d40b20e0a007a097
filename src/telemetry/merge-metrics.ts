/**
 * Merges the expositions of several processes into one. Each series gets the label `worker`, so that the query decides
 * what to add up: `sum without (worker) (…)`.
 */
export function mergeExpositions(byWorker: ReadonlyMap<string, string>): string {
  const families = new Map<string, string[]>();
  for (const [worker, text] of byWorker) {
    for (const family of text.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = family.trimEnd().split('\n');
      const head = `${help}\n${type}`;
      const merged = families.get(head) ?? [];
      families.set(head, merged);
      for (const sample of samples) merged.push(labelled(sample, worker));
    }
  }
  return [...families].map(([head, samples]) => `${[head, ...samples].join('\n')}\n`).join('');
}

/** `name{a="b"} 1` or `name 1`: the value of a label may contain a space or a brace, a name neither. */
function labelled(sample: string, worker: string): string {
  const end = sample.search(/[{ ]/);
  const rest = sample.slice(end);
  const label = `worker="${worker}"`;
  return sample.slice(0, end) + (rest.startsWith('{') ? `{${label},${rest.slice(1)}` : `{${label}}${rest}`);
}
