import { store, stored } from './stored.ts';

/** Which colours the console has. */
export type Theme = 'light' | 'dark' | 'system';

/** Changes the colours, and remembers that in this browser. */
export function setTheme(theme: Theme): void {
  show(theme);
  store('theme', theme === 'system' ? undefined : theme);
}

/** Shows the colours that were chosen in this browser. */
export function showTheme(): void {
  const theme = stored('theme');
  if (theme === 'light' || theme === 'dark') show(theme);
}

function show(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}
