const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** An instant as an input for local times takes it; '' for what is no instant. */
export function localText(text: string): string {
  const date = new Date(text);
  if (!instant.test(text) || Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** A local time as an instant, in the zone that the text before had; undefined for what is not whole. */
export function instantText(local: string, before: string): string | undefined {
  const date = new Date(local);
  if (local === '' || Number.isNaN(date.getTime())) return undefined;
  const zone = instant.exec(before)?.[1] ?? 'Z';
  const utc = date.toISOString().replace('.000Z', 'Z');
  if (zone === 'Z') return utc;
  const minutes = (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  const shifted = new Date(date.getTime() + minutes * 60_000).toISOString().replace(/(?:\.000)?Z$/, '');
  return `${shifted}${zone}`;
}
