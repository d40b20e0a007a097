/** What was acknowledged, compared with what is there after a crash. */
export interface State {
  readonly version: number;
  readonly value: string;
}

export interface Comparison {
  /** Acknowledged, and missing or older now. */
  readonly lost: readonly string[];
  /** In the version that was acknowledged, with another value. */
  readonly changed: readonly string[];
  /** Stored, and never acknowledged: the response was not sent yet. */
  readonly unacknowledged: readonly string[];
}

/** Compares the last acknowledged state of each resource with the one found. */
export function compareAcknowledged(
  acknowledged: ReadonlyMap<string, State>,
  found: ReadonlyMap<string, State>,
): Comparison {
  const lost: string[] = [];
  const changed: string[] = [];
  for (const [id, told] of acknowledged) {
    const now = found.get(id);
    if (now === undefined || now.version < told.version) lost.push(id);
    else if (now.version === told.version && now.value !== told.value) changed.push(id);
  }
  const unacknowledged = [...found].flatMap(([id, { version }]) =>
    version > (acknowledged.get(id)?.version ?? 0) ? id : [],
  );
  return { lost, changed, unacknowledged };
}
