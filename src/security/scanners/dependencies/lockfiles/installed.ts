import { type EcosystemFamily, ecosystemOf } from '../ecosystem.ts';
import type { LockfileContext, LockfileParseFunction } from '../lockfile-reader.ts';
import distributions from './distributions.json' with { type: 'json' };

/** Maps `ID` in `etc/os-release` to a distribution and the number of parts in a release (2 for `22.04`). */
const DISTRIBUTIONS = new Map(Object.entries(distributions)) as unknown as ReadonlyMap<
  string,
  readonly [family: EcosystemFamily, numbers: number]
>;

function distributionOf(release: string | undefined) {
  if (release === undefined) return { why: 'its distribution is not known: there is no etc/os-release' };
  const value = (name: string) =>
    release
      .split(/\r?\n/)
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .trim()
      .replace(/^["']|["']$/g, '') ?? '';
  const id = value('ID').toLowerCase();
  const [family, numbers] = DISTRIBUTIONS.get(id) ?? [];
  if (family === undefined || numbers === undefined)
    return {
      why: `no advisories are known of its distribution, ${JSON.stringify(value('ID').slice(0, 50))}`,
    };
  if (numbers === 0) return { ecosystem: family, why: '' };
  const version = value('VERSION_ID').split('.').slice(0, numbers).join('.');
  const isKnown = /^\d/.test(version) || version === 'stream';
  const ecosystem = isKnown ? ecosystemOf(`${family}:${version}`) : undefined;
  return ecosystem ? { ecosystem, why: '' } : { why: `etc/os-release names no release of ${family}` };
}

/** Finds `os-release` of an image. It is usually a link, which is not followed, to the file in `usr/lib`. */
function releaseBeside({ beside }: LockfileContext): string | undefined {
  const files = ['../../../', '../../../../'].flatMap((root) => [
    `${root}etc/os-release`,
    `${root}usr/lib/os-release`,
  ]);
  return files.map(beside).find((text) => text !== undefined);
}

function* paragraphsOf(text: string) {
  let fields = new Map<string, string>();
  let start = 1;
  let line = 0;
  for (const content of text.split('\n')) {
    line++;
    if (content.trim() === '') {
      if (fields.size > 0) yield { line: start, fields };
      fields = new Map();
      start = line + 1;
      continue;
    }
    const colon = content.indexOf(':');
    if (colon > 0 && !/^\s/.test(content))
      fields.set(content.slice(0, colon), content.slice(colon + 1).trim());
  }
  if (fields.size > 0) yield { line: start, fields };
}

function installed(
  read: (fields: ReadonlyMap<string, string>) => readonly [name: string, version: string] | undefined,
): LockfileParseFunction {
  return (text, collector, context) => {
    const { ecosystem, why } = distributionOf(releaseBeside(context));
    const seen = new Set<string>();
    for (const { line, fields } of paragraphsOf(text)) {
      const [name = '', version = ''] = read(fields) ?? [];
      // Several installed packages can be built from one source package, which is added once.
      if (name === '' || seen.has(`${name} ${version}`)) continue;
      seen.add(`${name} ${version}`);
      collector.addPackage({ name, version, line, ecosystem, local: ecosystem === undefined });
    }
    if (why !== '' && seen.size > 0) collector.addNote(why);
  };
}

/** Matches a source package: `zlib (1:1.2.13-1)`, or `zlib` if the installed package has the same version. */
const SOURCE = /^(\S{1,300})(?: \(([^()\s]{1,200})\))?$/;

export const dpkgStatus = installed((fields) => {
  const status = fields.get('Status');
  if (status !== undefined && !status.endsWith(' installed')) return undefined;
  const version = fields.get('Version') ?? '';
  const [, source, sourceVersion] = SOURCE.exec(fields.get('Source') ?? '') ?? [];
  return [source ?? fields.get('Package') ?? '', sourceVersion ?? version];
});

/** True for a file in `status.d`, where images without a package manager keep one file for each package. */
export const isDpkgStatusFile = (path: string): boolean =>
  /(?:^|\/)var\/lib\/dpkg\/status\.d\/[^/]{1,300}$/.test(path) && !path.endsWith('.md5sums');

/** Reads an Alpine-like image's installed packages. Fields: `P` name, `V` version, `o` source package. */
export const apkInstalled = installed((fields) => [
  fields.get('o') ?? fields.get('P') ?? '',
  fields.get('V') ?? '',
]);
