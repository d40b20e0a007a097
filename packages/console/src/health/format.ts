const number = (value: number, digits: number) =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: 0 });

/** A number with as many digits as say something. */
export function plain(value: number): string {
  return number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** A duration in ms. */
export function duration(ms: number): string {
  if (ms < 1000) return `${plain(ms)} ms`;
  return ms < 120_000 ? `${plain(ms / 1000)} s` : `${plain(ms / 60_000)} min`;
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A size in bytes, in powers of 1000. */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${number(bytes / 1000 ** power, power < 2 ? 0 : 1)} ${units[power]}`;
}

/** Hours and minutes, as people here write them. */
export const clock = (at: string): string =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
