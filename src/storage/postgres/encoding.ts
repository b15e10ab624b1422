/** Returns the problem of a database's encoding and its solution. Undefined for UTF-8, because only UTF-8 can store all texts. */
export function wrongEncoding(encoding: string): string | undefined {
  if (encoding === 'UTF8') return undefined;
  return `its encoding is ${encoding}: make a database in UTF8 (createdb -E UTF8 -T template0)`;
}
