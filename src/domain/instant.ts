/**
 * Instants written as text. Predicates and sorts take a string in one of these forms as an instant: `YYYY-MM-DD`,
 * `YYYY-MM-DDTHH:MM[:SS[.f{1,9}]][Z|±HH:MM]`, the forms of RFC 3339 with optional parts. Without a zone it is UTC. Any
 * other text is plain text.
 */
const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/**
 * The canonical text of an instant: `YYYY-MM-DDTHH:MM:SS[.f]` in UTC without zone letter and without trailing zeros.
 * Canonical texts order by bytes as the instants order in time. Undefined where the text is not an instant.
 */
export function canonicalInstant(text: string): string | undefined {
  if (text.length < 10 || text.length > 35 || text.charCodeAt(4) !== 0x2d) return undefined;
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(utc);
  // Date.UTC rolls over (month 13, 31 April) and reads years below 100 as 19xx: such texts are not instants.
  if (date.toISOString().slice(0, 19) !== `${year}-${month}-${day}T${hour}:${minute}:${second}`) return undefined;
  const shifted = zone === 'Z' ? date : new Date(utc - offsetMs(zone));
  const canonical = shifted.toISOString();
  if (canonical.length !== 24) return undefined;
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? canonical.slice(0, 19) : `${canonical.slice(0, 19)}.${digits}`;
}

/** The canonical text of a text that is known to be an instant. */
export function instantOf(text: string): string {
  // The form that the service and most clients write: UTC with milliseconds.
  if (text.length === 24 && text[19] === '.' && text.endsWith('Z')) {
    return text[22] === '0' ? text.slice(0, 23).replace(/\.?0+$/, '') : text.slice(0, 23);
  }
  const instant = canonicalInstant(text);
  if (instant === undefined) throw new Error(`not an instant: ${text}`);
  return instant;
}

let lastMs = Number.NaN;
let lastIso = '';

/** The instant in ISO 8601, UTC with milliseconds. Many requests come in one millisecond. */
export function isoOf(ms: number): string {
  if (ms === lastMs) return lastIso;
  lastIso = new Date(ms).toISOString();
  lastMs = ms;
  return lastIso;
}

function offsetMs(zone: string): number {
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
}
