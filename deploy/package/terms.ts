import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that a file is of, as a path below the root. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/@][^/]*/;
/** Whose a package is, and on which terms, by the usual names of such files. */
const TERMS = /^(?:licen[cs]e|notice|copying)/i;

/** The manifest of the package that a file is of. */
export function manifestOf(path: string): string {
  const [folder] = PACKAGE.exec(path) ?? [];
  if (!folder) throw new Error(`${path} is of no package`);
  return `${folder}/package.json`;
}

/** What `dist/packages.json` says of a package that is shipped within Magpie. */
interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/**
 * Writes which packages the files are of, for the bill of materials (`dist/packages.json`), and on which terms each is shipped
 * (`dist/THIRD-PARTY.txt`).
 *
 * @throws {Error} when a package has neither the name of a license nor its text.
 */
export function writeTerms(root: string, files: readonly string[]): void {
  const manifests = [...new Set(files.map(manifestOf))].sort();
  const shipped: Shipped[] = [];
  const terms: string[] = [];
  for (const manifest of manifests) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
    const folder = join(root, dirname(manifest));
    const texts = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && TERMS.test(entry.name))
      .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
    if (!license && texts.length === 0) throw new Error(`${manifest} names no license`);
    shipped.push({ name, version, license: license ?? 'SEE LICENSE IN LICENSE' });
    terms.push([`${name} ${version} (${license ?? 'as follows'})`, ...texts].join('\n\n'));
  }
  writeFileSync(join(root, 'dist/packages.json'), `${JSON.stringify(shipped, null, 2)}\n`);
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(
    join(root, 'dist/THIRD-PARTY.txt'),
    `Packages that are shipped within Magpie, each on its terms.${line}${terms.join(line)}\n`,
  );
}
