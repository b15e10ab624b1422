import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operations } from '../tools/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROOMS = [
  'search',
  'browse',
  'knowledge',
  'documents',
  'access',
  'security',
  'monitor',
  'compliance',
  'automation',
];
const PARTS = ['lib', 'config', 'storage', 'wiring', 'flows', 'commands', 'server', 'cli'];
/** Folders whose files are drivers of their room, with all that is below them. */
const DRIVERS = [
  'blobs',
  'catalogues',
  'checks',
  'embedders',
  'engines',
  'git',
  'imports',
  'indexes',
  'planners',
  'platforms',
  'readers',
  'scanners',
  'senders',
  'stores',
];
const KERNEL = ['log', 'caller', 'metrics', 'version'];
const CONTRACT = ['operation', 'prompt', 'command'];

/** The part that a file belongs to, by its path from the root; undefined for a file in no part. */
function partOf(path: string): string | undefined {
  const [top, second = '', third] = path.split('/');
  if (top === 'tools' || top === 'prompts') return top;
  if (top !== 'src') return undefined;
  if (third === undefined) {
    const name = second.replace(/\.(?:ts|json)$/, '');
    if (name === 'errors' || name === 'main') return name;
    if (KERNEL.includes(name)) return 'kernel';
    return CONTRACT.includes(name) ? 'contract' : undefined;
  }
  if (PARTS.includes(second)) return second;
  if (!ROOMS.includes(second)) return undefined;
  const folders = path.split('/').slice(2, -1);
  if (folders.some((folder) => DRIVERS.includes(folder))) return `driver:${second}`;
  return third === 'types.ts' ? `types:${second}` : `room:${second}`;
}

const BELOW = ['errors', 'lib', 'kernel', 'config'];
/** What tools, flows, commands and the server know of the rooms: the public types, and the list of services. */
const FACES = ['wiring (type)', ...ROOMS.map((room) => `types:${room} (type)`)];
/** What each part may import besides itself; `(type)` allows types only. This table is ARCHITECTURE.md's. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  lib: ['errors'],
  kernel: ['errors', 'lib'],
  config: ['errors', 'lib', 'kernel'],
  storage: BELOW,
  ...Object.fromEntries(ROOMS.map((room) => [`types:${room}`, [...BELOW, `room:${room}`, `driver:${room}`]])),
  ...Object.fromEntries(ROOMS.map((room) => [`room:${room}`, [...BELOW, `types:${room}`]])),
  ...Object.fromEntries(
    ROOMS.map((room) => [`driver:${room}`, [...BELOW, 'storage', `room:${room}`, `types:${room}`]]),
  ),
  wiring: [
    ...BELOW,
    'storage',
    ...ROOMS.flatMap((room) => [`room:${room}`, `driver:${room}`, `types:${room}`]),
  ],
  contract: [...BELOW, ...FACES],
  flows: [...BELOW, 'contract', ...FACES],
  tools: [...BELOW, 'contract', 'flows', ...FACES],
  prompts: [...BELOW, 'contract'],
  commands: [...BELOW, 'contract', ...FACES],
  server: [...BELOW, 'contract', ...FACES],
  cli: [...BELOW, 'storage', 'wiring', 'contract', 'server', 'tools', 'prompts', 'commands'],
  main: ['cli', 'config', 'lib'],
};
/** A room loads its own drivers where the choice is the room's, not the operator's. */
const ROOM_LOADS_DRIVERS = ['room:browse', 'room:security'];

function files(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function imports(path: string): Import[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
  );
  return [...statements].map(([, type, fixed, dynamic]) => ({
    from: path,
    to: relative(ROOT, resolve(ROOT, dirname(path), fixed ?? dynamic ?? '')).replaceAll('\\', '/'),
    typeOnly: type !== undefined,
  }));
}

function allowed({ from, to, typeOnly }: Import): boolean {
  const [source = '', target = ''] = [partOf(from), partOf(to)];
  if (source === target) return true;
  const list = ALLOWED[source] ?? [];
  if (list.includes(target) || (typeOnly && list.includes(`${target} (type)`))) return true;
  return ROOM_LOADS_DRIVERS.includes(source) && target === source.replace('room:', 'driver:');
}

const SOURCES = ['src', 'tools', 'prompts'].flatMap(files);

/** Folders that hold one file for each engine, lockfile or operation, however many there are. */
const LISTS = ['src/search/engines', 'src/security/scanners/dependencies/lockfiles', 'tools'];
const MAX_FILES = 25;

test('a folder has a limited number of files', () => {
  const counts = Map.groupBy(SOURCES, dirname);
  const crowded = [...counts].filter(([folder, held]) => held.length > MAX_FILES && !LISTS.includes(folder));
  expect(crowded.map(([folder, held]) => `${folder} holds ${held.length} files`)).toEqual([]);
});

test('every source file belongs to a part', () => {
  expect(SOURCES.filter((path) => partOf(path) === undefined)).toEqual([]);
});

test('imports follow the table', () => {
  const broken = SOURCES.flatMap(imports).filter((one) => !allowed(one));
  expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('only the configuration reads and sets the environment', () => {
  const readers = SOURCES.filter((path) => /process\.env\b/.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(readers).toEqual(['src/config/config.ts', 'src/config/telemetry.ts']);
});

const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('every room has its public types in one file, and a note that says how to extend it', () => {
  for (const room of ROOMS) {
    expect(SOURCES).toContain(`src/${room}/types.ts`);
    expect(text(`src/${room}/README.md`)).toMatch(/^## Adding /m);
  }
});

test('tools/ contains declarations only', async () => {
  const declared = new Set<unknown>(operations);
  for (const path of SOURCES.filter((one) => /^tools\/(?!index\.ts)[\w-]+\.ts$/.test(one))) {
    const exported = Object.entries((await import(join(ROOT, path))) as Record<string, unknown>);
    expect(exported.filter(([, value]) => !declared.has(value)).map(([name]) => `${path}: ${name}`)).toEqual(
      [],
    );
  }
});

test('types are named, and not derived from services', () => {
  const digging = /\b(?:Awaited|ReturnType|Parameters)<[^;]*\b[sS]ervices\b/;
  expect(SOURCES.filter((path) => digging.test(text(path)))).toEqual([]);
});

/** Nouns that end like participles. */
const NOUNS = [
  'Drawing',
  'Feed',
  'Finding',
  'Heading',
  'Listing',
  'Ordering',
  'Pooling',
  'Ruling',
  'Setting',
];
const PARTICIPLE =
  /^(?:[A-Z][a-z]+(?:ed|ing)|Found|Given|Made|Held|Kept|Said|Read|Taken|Known|Seen|Shown|Sent|Split|Hidden|Around|Before|Beside|Above)$/;

test('a type is a noun, and its name is exported from one file only', () => {
  const declared = SOURCES.flatMap((path) =>
    [...text(path).matchAll(/^(export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
      ([, exported, name = '']) => ({ path, name, isExported: exported !== undefined }),
    ),
  );
  const participles = declared.filter(({ name }) => PARTICIPLE.test(name) && !NOUNS.includes(name));
  expect(participles.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  const exports = Map.groupBy(
    declared.filter(({ isExported }) => isExported),
    ({ name }) => name,
  );
  const repeated = [...exports.values()].filter((same) => same.length > 1);
  expect(repeated.map((same) => same.map(({ path, name }) => `${path}: ${name}`))).toEqual([]);
});

/** Interfaces of stores, by name: those of the registry, and those that the registry's ones are made of. */
function storeInterfaces(): Map<string, string> {
  const registry = text('src/wiring/stores.ts');
  const paths = [...registry.matchAll(/from '\.\.\/([^']+)'/g)].map(([, path]) => `src/${path}`);
  const found = paths.flatMap((path) =>
    [
      ...text(path).matchAll(
        /^export interface (\w+(?:Store|Ends|Stores)) (?:extends [^{]+)?\{\n([\s\S]*?)^\}/gm,
      ),
    ].map(([, name = '', body = '']) => [name, body] as const),
  );
  return new Map(found);
}

/** Types of parameters that are written out would look like members. */
function withoutBraces(code: string): string {
  const shorter = code.replace(/\{[^{}]*\}/g, 'object');
  return shorter === code ? code : withoutBraces(shorter);
}

test('every method of a store is asynchronous', () => {
  const stores = storeInterfaces();
  expect(stores.size).toBeGreaterThanOrEqual(17);
  const synchronous = [...stores].flatMap(([name, body]) => {
    const plain = withoutBraces(body.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' '));
    // A member with parameters, up to the next member.
    const members = plain
      .split(/; (?=(?:readonly )?\w+\??(?:<[^>]*>)?[(:])/)
      .filter((one) => /^\s*\w+(?:<[^>]*>)?\(/.test(one));
    return members
      .filter((one) => !/\): (?:Promise<|AsyncIterable<)/.test(one))
      .map((one) => `${name}: ${one.trim()}`);
  });
  expect(synchronous).toEqual([]);
});

test('every store has a contract suite, which is independent of SQLite', () => {
  const suites = files('test/contracts').map((path) => [path, text(path)] as const);
  for (const name of storeInterfaces().keys()) {
    // What several stores share, and what holds several, is tested with them.
    if (['LeaseStore', 'MonitorStores'].includes(name)) continue;
    const suite = suites.find(([, code]) => new RegExp(`\\b${name}\\b`).test(code));
    expect(suite?.[0], `a contract suite of ${name}`).toBeDefined();
    expect(suite?.[1], name).not.toMatch(/sqlite|openDatabase/i);
  }
});
