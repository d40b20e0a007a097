/** The text that this browser stores under a name; undefined without one, and where storage is off. */
export function stored(name: string): string | undefined {
  try {
    return localStorage.getItem(`grs-console-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The items of a list that this browser keeps, those of the right form. */
export function storedList<T>(name: string, isRight: (item: unknown) => item is T): readonly T[] {
  try {
    const value: unknown = JSON.parse(stored(name) ?? '[]');
    return Array.isArray(value) ? value.filter(isRight) : [];
  } catch {
    return [];
  }
}

/** Keeps a text, or none. Returns false where the browser keeps nothing: then it holds as long as the page. */
export function store(name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) localStorage.removeItem(`grs-console-${name}`);
    else localStorage.setItem(`grs-console-${name}`, text);
    return true;
  } catch {
    return false;
  }
}
