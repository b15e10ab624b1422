export function wrongEncoding(encoding: string): string | undefined {
  if (encoding === 'UTF8') return undefined;
  return `its encoding is ${encoding}: make a database in UTF8 (createdb -E UTF8 -T template0)`;
}
