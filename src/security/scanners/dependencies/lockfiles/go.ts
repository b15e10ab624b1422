import type { FoundPackage, LockfileParseFunction } from '../lockfile-reader.ts';

/** First version of Go whose `go.mod` lists all modules of a build, including indirect ones. */
const COMPLETE_SINCE = [1, 17] as const;

type Module = Pick<FoundPackage, 'name' | 'version' | 'line' | 'direct'>;

export const goMod: LockfileParseFunction = (text, collector) => {
  const { modules, replaced } = readGoMod(text);
  for (const { name, version, line, direct } of modules) {
    const other = replaced.get(`${name}@${version}`) ?? replaced.get(name);
    const local = other !== undefined && other.version === '';
    const real = other && !local ? other : { name, version };
    collector.addPackage({ ...real, version: plain(real.version), line, direct, local });
  }
};

/** Reads `go.sum` for a project whose `go.mod` is missing or lacks the indirect modules. */
export const goSum: LockfileParseFunction = (text, collector, { beside }) => {
  const manifest = beside('go.mod');
  const { go = [0, 0], modules = [] } = manifest === undefined ? {} : readGoMod(manifest);
  if (go[0] > COMPLETE_SINCE[0] || (go[0] === COMPLETE_SINCE[0] && go[1] >= COMPLETE_SINCE[1])) return;
  const listed = new Set(modules.map(({ name }) => name));
  const newest = new Map<string, { version: string; line: number }>();
  for (const { line, words } of linesOf(text)) {
    const [name, version] = words;
    if (name === undefined || version === undefined || version.endsWith('/go.mod') || listed.has(name))
      continue;
    const known = newest.get(name);
    // `go.sum` lists versions in ascending order, so the last version of a module is the newest.
    if (!known || known.line < line) newest.set(name, { version, line });
  }
  for (const [name, { version, line }] of newest)
    collector.addPackage({ name, version: plain(version), line, direct: false });
};

interface GoMod {
  readonly modules: Module[];
  readonly replaced: Map<string, { name: string; version: string }>;
  go: readonly [major: number, minor: number];
}

function readGoMod(text: string): GoMod {
  const out: GoMod = { modules: [], replaced: new Map(), go: [0, 0] };
  let block = '';
  for (const { line, words, comment } of linesOf(text)) {
    if (block !== '' && words[0] === ')') block = '';
    else if (block === '' && words[1] === '(') block = words[0] ?? '';
    else {
      const [verb = '', ...rest] = block === '' ? words : [block, ...words];
      readDirective(out, verb, rest, line, comment);
    }
  }
  return out;
}

function readDirective(out: GoMod, verb: string, rest: readonly string[], line: number, comment: string) {
  const [name, version] = rest;
  if (verb === 'go') {
    const [, major, minor] = /^(\d{1,3})\.(\d{1,4})/.exec(name ?? '') ?? [];
    out.go = [Number(major ?? 0), Number(minor ?? 0)];
  }
  if (verb === 'require' && name !== undefined && version !== undefined)
    out.modules.push({ name, version, line, direct: !/^\s*indirect\b/.test(comment) });
  const arrow = rest.indexOf('=>');
  if (verb === 'replace' && arrow > 0) {
    const [other = '', otherVersion = ''] = rest.slice(arrow + 1);
    const replaced = arrow === 2 ? `${name}@${version}` : (name ?? '');
    out.replaced.set(replaced, { name: other, version: otherVersion });
  }
}

/** Returns the version in OSV's spelling: `v1.2.0+incompatible` becomes `1.2.0`. */
const plain = (version: string): string => version.replace(/^v/, '').replace(/\+incompatible$/, '');

function* linesOf(text: string): Generator<{ line: number; words: string[]; comment: string }> {
  let line = 0;
  for (const raw of text.split('\n')) {
    line++;
    const cut = raw.indexOf('//');
    // Removes a comment. `//` always starts a comment, because a module path contains no double slash.
    const content = cut < 0 ? raw : raw.slice(0, cut);
    const words = content.split(/\s+/).filter((word) => word !== '');
    const bare = words.map((word) => word.replace(/^"(.*)"$/, '$1'));
    if (bare.length > 0) yield { line, words: bare, comment: cut < 0 ? '' : raw.slice(cut + 2) };
  }
}
