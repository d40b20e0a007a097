import type { ComponentChildren } from 'preact';
import { setQuery } from '../app/router.ts';

interface TabsProps<T extends string> {
  readonly label?: string;
  /** The first one is shown where the address names none. */
  readonly tabs: readonly T[];
  readonly shown: T;
  readonly nameOf: (tab: T) => ComponentChildren;
}

/** The parts of a page, of which the address names the one that is shown. */
export function Tabs<T extends string>({ label, tabs, shown, nameOf }: TabsProps<T>) {
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === shown}
          onClick={() => setQuery({ tab: tab === tabs[0] ? undefined : tab })}
        >
          {nameOf(tab)}
        </button>
      ))}
    </div>
  );
}
