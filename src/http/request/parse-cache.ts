/** Longer keys are not worth a place: few requests have them, and none twice. */
const maxKeyChars = 1024;

/**
 * A bounded memory of what was made of a text lately: the same queries come again and again, and reading one costs as
 * much as answering it. Only for values that depend on nothing but the text. What was used longest ago goes first.
 */
export function createRecent<T>(maxEntries: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const found = known.get(key);
    if (found === undefined && key.length > maxKeyChars) return make();
    const value = found ?? make();
    known.delete(key);
    known.set(key, value);
    if (known.size > maxEntries) known.delete(known.keys().next().value!);
    return value;
  };
}
