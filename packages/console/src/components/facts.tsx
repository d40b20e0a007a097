import type { ComponentChildren } from 'preact';

interface FactsProps {
  readonly class: string;
  readonly facts: readonly (readonly [name: string, value: ComponentChildren, isProblem?: boolean])[];
}

/** Names with their values. */
export function Facts({ class: name, facts }: FactsProps) {
  return (
    <dl class={name}>
      {facts.map(([fact, value, isProblem]) => (
        <div key={fact} class={isProblem ? 'problem' : undefined}>
          <dt>{fact}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
