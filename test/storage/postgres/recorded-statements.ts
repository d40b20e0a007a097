import { Client } from 'pg';

/** A statement that the store sent. */
export interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Notes every statement that clients of this process send, until it is stopped, and calls `before` with its text before it is sent. */
export function recordStatements(before: (text: string) => void = () => {}): {
  readonly statements: readonly Recorded[];
  stop(): void;
} {
  const statements: Recorded[] = [];
  const original = Client.prototype.query;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [sent] = args as [string | { text: string; values?: unknown[] }];
    const recorded = typeof sent === 'string' ? { text: sent, values: [] } : { ...sent, values: sent.values ?? [] };
    statements.push({ text: recorded.text, values: recorded.values });
    before(recorded.text);
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  return {
    statements,
    stop() {
      Client.prototype.query = original;
    },
  };
}

/** Those that read or write tables. */
export function tableStatements(statements: readonly Recorded[]): readonly Recorded[] {
  const onData = statements.filter(({ text }) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text));
  return onData.filter(({ text }) => /\b(?:FROM|INTO|UPDATE)\s+(?!pg_)[a-z]/.test(text));
}
