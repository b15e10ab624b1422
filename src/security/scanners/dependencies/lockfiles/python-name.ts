/** A Python package's name as PEP 503 compares it. */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** Name and range of a requirement as PEP 508 writes it; undefined for an address or what is none. */
export function pythonRequirement(text: string): { name: string; range: string } | undefined {
  const [whole, name = ''] = /^\s*([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\]]{0,300}\])?/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [stated = ''] = text.slice(whole.length).split(';', 1);
  const range = stated
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  return range.startsWith('@') ? undefined : { name: pythonName(name), range };
}
