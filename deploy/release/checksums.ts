import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const SUMS = 'SHA256SUMS';

/** The SHA-256 of each file of a folder, by name, in hexadecimal digits; that of the sums is left out. */
export function checksums(folder: string): readonly (readonly [name: string, sha256: string])[] {
  return readdirSync(folder)
    .filter((name) => name !== SUMS)
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(`${folder}/${name}`))
        .digest('hex'),
    ]);
}

/** Writes them as `sha256sum --check` reads them. */
export function writeChecksums(folder: string): void {
  const lines = checksums(folder).map(([name, sum]) => `${sum}  ${name}\n`);
  writeFileSync(`${folder}/${SUMS}`, lines.join(''));
}
