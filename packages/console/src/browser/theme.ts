/** Which colours the console has. */
export type Theme = 'light' | 'dark' | 'system';

const storageKey = 'grs-console-theme';

/** Changes the colours, and remembers that in this browser. */
export function setTheme(theme: Theme): void {
  show(theme);
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // The browser keeps nothing: the choice lasts as long as the page.
  }
}

/** Shows the colours that were chosen in this browser. */
export function showTheme(): void {
  try {
    const theme = localStorage.getItem(storageKey);
    if (theme === 'light' || theme === 'dark') show(theme);
  } catch {
    // Those of the system.
  }
}

function show(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}
