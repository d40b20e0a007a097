/**
 * Points in time written as text. A string in one of these forms is a point in time to predicates and sorts:
 * `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM[:SS[.f{1,9}]][Z|±HH:MM]`, the forms of RFC 3339 with parts that may be left out; without
 * a zone it is UTC. Anything else is plain text.
 */
const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/**
 * The canonical text of an instant: `YYYY-MM-DDTHH:MM:SS[.f]` in UTC without zone letter and without trailing zeros.
 * Canonical texts order by bytes as the instants order in time. Undefined where the text is no point in time.
 */
export function canonicalInstant(text: string): string | undefined {
  if (text.length < 10 || text.length > 35 || text.charCodeAt(4) !== 0x2d) return undefined;
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(utc);
  // Date.UTC rolls over (month 13, 31 April) and reads years below 100 as 19xx: such texts are no instants.
  if (date.toISOString().slice(0, 19) !== `${year}-${month}-${day}T${hour}:${minute}:${second}`) return undefined;
  const shifted = zone === 'Z' ? date : new Date(utc - offsetMs(zone));
  const canonical = shifted.toISOString();
  if (canonical.length !== 24) return undefined;
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? canonical.slice(0, 19) : `${canonical.slice(0, 19)}.${digits}`;
}

function offsetMs(zone: string): number {
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
}
