/** Quotes a name for an error message and shortens it if it is long. */
export function quoted(name: string): string {
  const characters = [...name];
  return JSON.stringify(characters.length > 80 ? `${characters.slice(0, 77).join('')}...` : name);
}
