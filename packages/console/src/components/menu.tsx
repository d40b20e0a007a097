import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** A line of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
}

/** A button that opens a few others: it closes with Escape, with a choice, and where the focus leaves it. */
export function Menu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (isFocused: boolean) => {
    if (!menu.current) return;
    menu.current.open = false;
    if (isFocused) menu.current.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const leave = (event: Event) => {
      if (menu.current?.open && !menu.current.contains(event.target as Node)) close(false);
    };
    addEventListener('pointerdown', leave);
    addEventListener('focusin', leave);
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        // The dialog that the menu is in stays open.
        event.preventDefault();
        event.stopPropagation();
        close(true);
      }}
    >
      <summary>{label}</summary>
      <div>
        {items.map((item) => (
          <Button
            key={item.label}
            label={item.label}
            kind="plain"
            onClick={() => {
              close(true);
              item.onChoose();
            }}
          />
        ))}
      </div>
    </details>
  );
}
