import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expandPaths, homeFolder, type MachineEnvironment } from '../../../lib/assistants/machine.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { moduleUrl } from '../../../lib/workers/module-url.ts';
import { isBelow } from '../../git/local/local-repository.ts';
import { readRegularFile } from '../../git/local/plain-file.ts';
import { parseServerLaunch } from '../../scanners/agents/settings/launchers.ts';
import { type McpServerEntry, yamlTextOf } from '../../scanners/agents/settings/servers.ts';
import { pythonName } from '../../scanners/dependencies/lockfiles/python-name.ts';
import { textAt } from '../../scanners/infrastructure/yaml-tree.ts';
import places from './code-places.json' with { type: 'json' };

export interface McpServerCode {
  readonly paths: readonly string[];
  readonly version?: string;
  /** Why no code is read, for example `is Magpie itself`, and advice (`fix`) on how to have it scanned. */
  readonly missing?: readonly [what: string, fix?: string];
}

export interface ServerSearchContext {
  readonly machine: MachineEnvironment;
  readonly folders: readonly string[];
  readonly file: string;
  /** Cache of the packages installed on this machine, by kind, so that a scan searches the disk only once. */
  readonly copies: Map<string, ReadonlyMap<string, readonly PackageCopy[]>>;
  readonly signal: AbortSignal;
  past(what: string): void;
}

interface PackageCopy {
  readonly store: string;
  readonly entry: string;
  readonly changedAt: number;
}

/** Matches Magpie's own package in a command, by its npx name or its folder. Magpie does not scan itself. */
const OWN = /^magpie-mcp(?:@[\w.^~-]{1,40})?$|[\\/]node_modules[\\/]magpie-mcp[\\/]/;
const OWN_MAIN = fileURLToPath(moduleUrl('../../../main.ts', import.meta.url));
const MAX_NAMES = 2000;
const MAX_ENTRIES = 500_000;
const MAX_COPIES = 200;
const DIST_INFO = /^(.{1,200}?)-([^-]{1,100})\.dist-info$/;
const MAX_WORDS = 400;
const MAX_NAMED_FOLDERS = 20;
const MAX_PARENTS = 6;
const MAX_SMALL_FILE_BYTES = 1_000_000;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|php|pl|ps1|bat|cmd|lua|go|rs)$/i;
const FOLDER_OPTION = /^(?:--directory|--project|--prefix|--cwd|-C)$/;
const RUNTIME =
  /^(?:node|deno|bun|python[\d.]*|uv|pipx|npm|pnpm|yarn|php|ruby|java|dotnet|go|cargo|(?:ba|z)?sh|cmd|powershell|pwsh|env)(?:\.exe)?$/i;

/** Finds an MCP server's code from the command that starts the server. Runs no code and downloads no files. */
export async function findServerCode(
  { words, node }: McpServerEntry,
  place: ServerSearchContext,
): Promise<McpServerCode> {
  place.signal.throwIfAborted();
  const texts = words.map((word) => expandVariables(yamlTextOf(word), place));
  const [program] = texts;
  if (program === undefined)
    return { paths: [], missing: ['runs elsewhere, and nothing of it is on this disk'] };
  if (texts.some((text) => text === OWN_MAIN || OWN.test(text)))
    return { paths: [], missing: ['is Magpie itself, which is not scanned'] };
  const launch = parseServerLaunch(words);
  const scripts = await findScripts(texts, expandVariables(textAt(node, 'cwd') ?? '', place), place);
  const module = program.includes('python') ? texts[texts.indexOf('-m', 1) + 1] : undefined;
  const found =
    launch?.kind === 'npm' || launch?.kind === 'python'
      ? await findPackage(launch.kind, launch.name, yamlTextOf(launch.node), place)
      : module !== undefined && module !== program
        ? await findPackage('python', module, '', place)
        : launch === undefined && scripts.length === 0
          ? await findProgram(program, place)
          : undefined;
  const paths = [...(found?.paths ?? []), ...scripts];
  if (paths.length > 0) return { ...found, paths };
  return { paths, missing: explainMissing(launch, program) };
}

function explainMissing(
  launch: ReturnType<typeof parseServerLaunch>,
  program: string,
): McpServerCode['missing'] {
  if (!launch)
    return [`starts ${program}, whose code is not found on this disk`, 'find it, and scan its folder'];
  const what = `${launch.name}, which is not on this disk`;
  return launch.kind === 'npm' || launch.kind === 'python'
    ? [
        `fetches the package ${what} yet`,
        'let the assistant start it once and scan again, or scan its repository',
      ]
    : [`runs ${what} as files`, 'scan the repository that it is made from'];
}

export async function findScripts(words: readonly string[], cwd: string, place: ServerSearchContext) {
  const home = homeFolder(place.machine);
  const texts = words.map((word) => expandVariables(word, place));
  const named = texts
    .filter((word, at) => isAbsolute(word) && FOLDER_OPTION.test(texts[at - 1] ?? ''))
    .slice(0, MAX_NAMED_FOLDERS);
  const scripts = texts.filter((one) => SCRIPT.test(one) && one.length < 1000);
  if (scripts.length > MAX_WORDS)
    place.past(`${formatCount(scripts.length - MAX_WORDS, 'script')} that commands in ${place.file} name`);
  const bases = [cwd, ...named, dirname(place.file), ...place.folders, home].filter(isAbsolute);
  const found = new Set<string>();
  for (const folder of named) if (await hasManifest(folder)) found.add(folder);
  for (const word of scripts.slice(0, MAX_WORDS)) {
    for (const base of bases) {
      place.signal.throwIfAborted();
      const file = resolve(base, word);
      if (!(await stat(file).catch(() => undefined))?.isFile()) continue;
      found.add(await projectOf(file, home));
      break;
    }
  }
  return [...found];
}

function expandVariables(word: string, { machine, folders: [folder = ''], file }: ServerSearchContext) {
  const here = dirname(file).replace(/[\\/]\.(?:claude|codex|cursor)-plugin$/, '');
  return word
    .replace(/^~(?=[\\/]|$)|\$\{?(?:env:)?(?:HOME|USERPROFILE|userHome)\b\}?|%USERPROFILE%/g, () =>
      homeFolder(machine),
    )
    .replace(/\$\{?(?:workspaceFolder|CLAUDE_PROJECT_DIR|workspacePath)\b\}?/g, () => folder)
    .replace(/\$\{?(?:__dirname|extensionPath|CLAUDE_PLUGIN_ROOT)\b\}?/g, () => here);
}

async function projectOf(file: string, home: string): Promise<string> {
  let folder = dirname(file);
  for (let step = 0; step < MAX_PARENTS && !isBelow(home, folder); step++) {
    if (await hasManifest(folder)) return folder;
    folder = dirname(folder);
  }
  return file;
}

async function hasManifest(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  return places.manifests.some((name) => names.includes(name));
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).slice(0, MAX_NAMES).sort();

async function findPackage(kind: 'npm' | 'python', name: string, spec: string, place: ServerSearchContext) {
  if (!/^(?:@[\w-][\w.-]{0,99}\/)?[\w-][\w.-]{0,199}$/.test(name)) return undefined;
  const copies =
    (await copiesOf(kind, place)).get(kind === 'npm' ? name.replace(/\/.*/s, '') : pythonName(name)) ?? [];
  const found: { readonly paths: () => Promise<readonly string[]>; readonly version: string }[] = [];
  for (const { store, entry } of copies) {
    place.signal.throwIfAborted();
    const code = kind === 'npm' ? await npmPackage(store, name) : pythonPackage(store, entry);
    if (code) found.push(code);
    if (found.length >= MAX_COPIES) break;
  }
  const one = found.find(({ version }) => /[@=]/.test(spec) && spec.endsWith(version)) ?? found[0];
  return one && { paths: await one.paths(), version: `${name} ${one.version}` };
}

/** Returns installed packages by name, or by npm scope (`@types`). Packages in newer folders come first. */
async function copiesOf(kind: 'npm' | 'python', place: ServerSearchContext) {
  const known = place.copies.get(kind);
  if (known) return known;
  const found = new Map<string, PackageCopy[]>();
  let left = MAX_ENTRIES;
  for (const at of await storesOf(kind, place)) {
    place.signal.throwIfAborted();
    for (const entry of await namesIn(at.store)) {
      const name = kind === 'npm' ? entry : pythonName(DIST_INFO.exec(entry)?.[1] ?? '');
      if (name === '' || left-- <= 0) continue;
      const list = found.get(name) ?? [];
      if (list.at(-1)?.store !== at.store) list.push({ ...at, entry });
      found.set(name, list);
    }
  }
  place.copies.set(kind, found);
  return found;
}

async function storesOf(kind: 'npm' | 'python', { machine, signal }: ServerSearchContext) {
  const env = { ...machine.env, NODE_FOLDER: dirname(machine.node) };
  const stores: { readonly store: string; readonly changedAt: number }[] = [];
  for (const pattern of expandPaths(places[kind], { ...machine, env })) {
    for (const store of await expandStars(pattern, signal)) {
      const changedAt = (await stat(store).catch(() => undefined))?.mtimeMs;
      if (changedAt !== undefined) stores.push({ store, changedAt });
    }
  }
  return stores.sort((a, b) => b.changedAt - a.changedAt);
}

async function npmPackage(store: string, name: string) {
  const folder = join(store, name);
  const text = (await readRegularFile(join(folder, 'package.json'), MAX_SMALL_FILE_BYTES))?.toString();
  const version = /"version"\s{0,5}:\s{0,5}"([^"]{1,60})"/.exec(text ?? '')?.[1] ?? '';
  return text === undefined ? undefined : { paths: async () => [folder], version };
}

/** Reads an installed Python package from its metadata folder. `RECORD` in that folder lists the files. */
function pythonPackage(store: string, entry: string) {
  const paths = async () => {
    const record =
      (await readRegularFile(join(store, entry, 'RECORD'), MAX_SMALL_FILE_BYTES))?.toString() ?? '';
    const tops = new Set(
      record.split('\n').flatMap((line) => /^"?([^./\\,"][^/\\,"]{0,199})/.exec(line)?.[1] ?? []),
    );
    const inside = [...tops].filter((top) => !/\.(?:dist-info|pth)$/.test(top)).slice(0, MAX_WORDS);
    return inside.map((top) => join(store, top));
  };
  return { paths, version: DIST_INFO.exec(entry)?.[2] ?? '' };
}

async function findProgram(program: string, place: ServerSearchContext): Promise<McpServerCode | undefined> {
  const { env, platform } = place.machine;
  const search = (env.PATH ?? env.Path ?? '').split(platform === 'win32' ? ';' : ':').filter(isAbsolute);
  for (const folder of RUNTIME.test(basename(program)) ? [] : isAbsolute(program) ? [''] : search) {
    const path = await realpath(join(folder, program)).catch(() => '');
    const [inside] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path) ?? [];
    if (inside !== undefined) return { paths: [inside] };
    const tool = /[\\/](?:tools|venvs)[\\/]([\w.-]{1,200})[\\/](?:bin|Scripts)[\\/]/.exec(path)?.[1];
    if (tool !== undefined) return findPackage('python', tool, '', place);
    const isScript = (await readRegularFile(path, MAX_SMALL_FILE_BYTES))?.subarray(0, 2).toString() === '#!';
    if (path !== '') return isScript ? { paths: [path] } : undefined;
  }
  return undefined;
}

export async function expandStars(path: string, signal: AbortSignal): Promise<string[]> {
  const [first = '', ...rest] = path.split(/[\\/]\*(?=[\\/]|$)/);
  let found = [first];
  for (const after of rest) {
    const next: string[] = [];
    for (const folder of found) {
      signal.throwIfAborted();
      if (next.length >= MAX_NAMES) break;
      for (const name of await namesIn(folder)) next.push(join(folder, name, after));
    }
    found = next.slice(0, MAX_NAMES);
  }
  return found;
}
