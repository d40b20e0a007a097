/** A path as in `a.b[2]["odd name"]`. */
export function pathText(path: readonly (string | number)[]): string {
  const names = path.map((name, i) => {
    if (typeof name === 'number') return `[${name}]`;
    if (/^[A-Za-z_$][\w$-]{0,63}$/.test(name)) return i === 0 ? name : `.${name}`;
    return name === '' && i === path.length - 1 ? '' : `[${shownName(name)}]`;
  });
  return names.join('');
}

/** A name as a JSON string, cut where it is long. */
export function shownName(key: string): string {
  return JSON.stringify(key.length > 64 ? `${key.slice(0, 63)}…` : key);
}
