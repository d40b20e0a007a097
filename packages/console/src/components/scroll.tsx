import type { ComponentChildren } from 'preact';

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
}

/** A part of a page that scrolls by itself, with the keyboard too. */
export function Scroll({ label, children, class: more = '' }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (axe, scrollable-region-focusable).
    <section class={`scroll ${more}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
