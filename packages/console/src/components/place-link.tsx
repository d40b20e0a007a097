import type { ComponentChildren } from 'preact';
import { addressOf, follow, type Place } from '../app/router.ts';

interface PlaceLinkProps {
  readonly to: Place;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly label?: string;
  readonly isCurrent?: boolean;
}

/** A link to a place of the console; with a modifier key the browser opens it as it does any link. */
export function PlaceLink({ to, children, class: name, label, isCurrent }: PlaceLinkProps) {
  return (
    <a
      href={addressOf(to)}
      class={name}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      dir="auto"
      onClick={(event) => follow(event, to)}
    >
      {children}
    </a>
  );
}
