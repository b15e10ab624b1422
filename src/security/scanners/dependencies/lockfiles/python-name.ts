/** Normalises a Python package name by PEP 503: `Foo_Bar` becomes `foo-bar`. */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Parses the name and range of a PEP 508 requirement. Returns undefined for a URL or invalid text. */
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
