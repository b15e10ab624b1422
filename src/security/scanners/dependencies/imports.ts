import { createYieldPoint } from '../../../lib/concurrency/time-slices.ts';
import type { PackageVersion } from '../../findings/finding.ts';
import type { FileTree, TreeFile } from '../../trees/tree.ts';
import modules from './python-modules.json' with { type: 'json' };

export interface PackageImport {
  readonly path: string;
  readonly line: number;
  readonly files: number;
}

interface ImportSyntax {
  readonly files: RegExp;
  /** True if the language's import statements quote the package name: `'name'`, `'name/part'`. */
  readonly quoted: boolean;
  begins(line: string): boolean;
}

const ECOSYSTEMS: Readonly<Record<string, ImportSyntax>> = {
  npm: {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/,
    quoted: true,
    begins: (line) => ['from', 'import', 'import(', 'require(', 'resolve('].some((one) => line.endsWith(one)),
  },
  PyPI: {
    files: /\.pyi?$/,
    quoted: false,
    begins: (line) =>
      line === 'from' || line === 'import' || (line.startsWith('import ') && line.endsWith(',')),
  },
  Go: { files: /\.go$/, quoted: true, begins: () => true },
  RubyGems: {
    files: /\.(?:rb|ru|rake)$/,
    quoted: true,
    begins: (line) =>
      line === 'require' || line === 'require(' || line === 'load' || line.endsWith(' require'),
  },
};
const VENDORED = /(?:^|\/)(?:node_modules|bower_components|vendor|site-packages|\.venv|dist|build)\//;
const [MAX_PACKAGES, MAX_FILE_BYTES, MAX_SEARCHED_BYTES] = [200, 1_000_000, 4_000_000_000];
const MAX_MENTIONS = 2000;
const MAX_LINE = 300;
const COMMENTS = ['//', '#', '*', '/*'];
const [NEWLINE, SLASH] = [0x0a, 0x2f];
const QUOTES = new Set([0x22, 0x27, 0x60]);

/** Returns each package's first import, or undefined if there is none. Unsearched packages have no entry. */
export async function findImports(
  tree: Pick<FileTree, 'files' | 'read'>,
  packages: ReadonlyMap<string, PackageVersion>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PackageImport | undefined>> {
  const found = new Map<string, PackageImport | undefined>();
  const pause = createYieldPoint();
  let bytes = 0;
  for (const [ecosystem, how] of Object.entries(ECOSYSTEMS)) {
    const wanted = wantedOf(packages, ecosystem).slice(0, MAX_PACKAGES);
    if (wanted.length === 0) continue;
    const files = tree.files.filter((file) => isSearched(file, how));
    if (files.length === 0) continue;
    for (const { key } of wanted) found.set(key, undefined);
    for (const file of files) {
      signal.throwIfAborted();
      bytes += file.bytes * wanted.length;
      if (bytes > MAX_SEARCHED_BYTES) return new Map();
      // An unreadable file counts as empty. The scan of the file itself reports the error.
      const content = Buffer.from(await tree.read(file).catch(() => new Uint8Array()));
      for (const { key, names } of wanted) {
        const line = lineOf(content, names, how);
        const { files: before = 0, ...first } = found.get(key) ?? {};
        if (line > 0) found.set(key, { path: file.path, line, ...first, files: before + 1 });
        await pause();
      }
    }
  }
  return found;
}

const wantedOf = (packages: ReadonlyMap<string, PackageVersion>, ecosystem: string) =>
  [...packages].flatMap(([key, one]) =>
    one.ecosystem === ecosystem ? [{ key, names: moduleNamesOf(one).map((name) => Buffer.from(name)) }] : [],
  );

const isSearched = ({ path, bytes }: TreeFile, { files }: ImportSyntax): boolean =>
  bytes <= MAX_FILE_BYTES && files.test(path) && !VENDORED.test(path);

function lineOf(content: Buffer, names: readonly Buffer[], how: ImportSyntax): number {
  for (const name of names) {
    let left = MAX_MENTIONS;
    for (let at = content.indexOf(name); at >= 0 && left > 0; at = content.indexOf(name, at + name.length)) {
      left--;
      if (isImport(content, at, at + name.length, how))
        return content.subarray(0, at).filter((one) => one === NEWLINE).length + 1;
    }
  }
  return 0;
}

function isImport(content: Buffer, from: number, to: number, { quoted, begins }: ImportSyntax): boolean {
  const after = content[to] ?? NEWLINE;
  const before = content[from - 1] ?? NEWLINE;
  const ends = quoted ? QUOTES.has(after) || after === SLASH : !isNamePart(after);
  if (!ends || QUOTES.has(before) !== quoted) return false;
  const ahead = content.subarray(Math.max(0, from - MAX_LINE), quoted ? from - 1 : from);
  const line = ahead
    .subarray(ahead.lastIndexOf(NEWLINE) + 1)
    .toString('latin1')
    .trim();
  return !COMMENTS.some((one) => line.startsWith(one)) && begins(line);
}

const isNamePart = (byte: number): boolean => byte >= 0x80 || /\w/.test(String.fromCharCode(byte));

const PYTHON: Readonly<Record<string, readonly string[]>> = modules;

function moduleNamesOf({ ecosystem, name }: PackageVersion): readonly string[] {
  if (ecosystem === 'PyPI') return PYTHON[name] ?? [name.replaceAll('-', '_')];
  // A gem is loaded by its own name (`aws-sdk-s3`), or with slashes in place of hyphens (`rack/protection`).
  return ecosystem === 'RubyGems' && name.includes('-') ? [name, name.replaceAll('-', '/')] : [name];
}
