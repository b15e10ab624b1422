export function quoteName(name: string): string {
  const characters = [...name];
  return JSON.stringify(characters.length > 80 ? `${characters.slice(0, 77).join('')}...` : name);
}
