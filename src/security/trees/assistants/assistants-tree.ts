import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ASSISTANT_PATHS, expandPaths, homeFolder } from '../../../lib/assistants/machine.ts';
import { ASSISTANT_SETUPS } from '../../../lib/assistants.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { type McpServerEntry, mcpServersIn, yamlTextOf } from '../../scanners/agents/settings/servers.ts';
import { readAgentSettings } from '../../scanners/agents/settings/settings-tree.ts';
import { entriesOf, type YamlNode } from '../../scanners/infrastructure/yaml-tree.ts';
import { decodeFileText } from '../../scans/file-job.ts';
import type { OpenFileTree } from '../tree.ts';
import { type AssistantFiles, type AssistantFilesOptions, collectAssistantFiles } from './assistant-files.ts';
import places from './code-places.json' with { type: 'json' };
import type { AssistantPart, InstalledAssistant } from './installed-assistant.ts';
import { joinCommandWords, maskSettings } from './mask-settings.ts';
import { expandStars, findScripts, findServerCode, type ServerSearchContext } from './server-code.ts';

/** Opens the files of this machine's AI assistants and the code of their MCP servers. Runs no code. */
export async function openAssistantsTree(options: AssistantFilesOptions): Promise<OpenFileTree> {
  const { machine, folders, signal, progress } = options;
  const collected = collectAssistantFiles(options);
  const { files, add, contentOf, show, omissions } = collected;
  const source = { ...collected, machine, folders, signal, copies: new Map() };
  const assistants: InstalledAssistant[] = [];
  for (const [name, { folder, settings, reads }] of Object.entries(ASSISTANT_PATHS)) {
    progress(`reading the files of ${name}`);
    const own = new Set<string>();
    const paths: string[] = [];
    for (const place of expandPaths([...settings, ...reads], machine, folders)) {
      for (const path of await expandStars(place, signal)) {
        const added = await add(path);
        for (const one of added) own.add(one);
        if (added.length > 0) paths.push(show(path));
      }
    }
    if (own.size > 0 || expandPaths(folder, machine).some((path) => existsSync(path)))
      assistants.push(await describeAssistant({ name, paths, own: [...own] }, source));
  }
  return {
    files: [...files.values()].map(({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1)),
    left: omissions.left,
    gaps: omissions.gaps,
    isOfOthers: true,
    assistants,
    read: ({ path }) => contentOf(path),
    materialise: async () => files.size,
    async *history() {},
    async close() {},
  };
}

const MAX_PARTS = 100;
const MAX_HOOKS = 100;
const MAX_HOOK_LENGTH = 2000;
const LIMIT_FIX = 'read these settings yourself, or move some of them into another file';
/** Maximum sizes of settings files in bytes. TOML's limit is lower: each key needs a search of all lines. */
const [MAX_JSON_BYTES, MAX_TOML_BYTES] = [2_000_000, 100_000];
const SETTINGS =
  /(?:^|[/._-])(?:mcp|settings|config|claude|plugin|extension|hooks|cli)(?:[._-]\w{1,40})?\.(?:jsonc?|toml)$/;
const RUN_KEY = /^(?:hooks|statusLine|apiKeyHelper|awsAuthRefresh|otelHeadersHelper|notify)$/;
type FileSource = AssistantFiles & Omit<ServerSearchContext, 'file' | 'past'>;

interface MatchPaths {
  readonly name: string;
  /** Files and folders of the assistant, as shown to users. `own` has the paths of all files in them. */
  readonly paths: readonly string[];
  readonly own: readonly string[];
}

async function describeAssistant(found: MatchPaths, source: FileSource): Promise<InstalledAssistant> {
  const setups: Readonly<Record<string, { readonly title: string }>> = ASSISTANT_SETUPS;
  const title = setups[found.name]?.title ?? 'Shared by assistants';
  const servers: AssistantPart[] = [];
  const paths = [...found.paths];
  for (const path of found.own.filter((one) => SETTINGS.test(one))) {
    const root = await readRoot(path, source);
    const { machine, folders, copies, signal } = source;
    const file = path.startsWith('~/') ? join(homeFolder(machine), path.slice(2)) : path;
    const past = (what: string) => source.omissions.miss('limits', what, LIMIT_FIX);
    const place = { machine, folders, file, copies, signal, past };
    const all = mcpServersIn(root, /mcp/.test(path));
    const some = all.slice(0, MAX_PARTS - servers.length);
    if (all.length > some.length)
      past(`${formatCount(all.length - some.length, 'server')} in ${path} past the first ${MAX_PARTS}`);
    for (const server of some) servers.push(await describeServer(server, { path, place, title }, source));
    paths.push(...(await addHooks(root, place, source)));
  }
  const others = found.own.flatMap((path): AssistantPart[] => {
    const [end, kind] = Object.entries(places.parts).find(([one]) => path.endsWith(`/${one}`)) ?? [];
    if (end === undefined || kind === undefined) return [];
    if (end === 'manifest.json' && !path.includes('/Claude Extensions/')) return [];
    const folder = path.slice(0, -end.length - 1);
    return [{ kind, name: basename(folder).slice(0, 100), paths: [folder] }];
  });
  if (others.length > MAX_PARTS)
    source.omissions.leave(
      `${formatCount(others.length - MAX_PARTS, 'skill or plug-in', 'skills and plug-ins')} of ${title} in the list`,
    );
  return { title, paths, parts: [...servers, ...others.slice(0, MAX_PARTS)] };
}

async function addHooks(root: YamlNode | undefined, place: ServerSearchContext, { add, show }: FileSource) {
  const texts = entriesOf(root).flatMap(([key, node]) => (RUN_KEY.test(key) ? textsIn(node) : []));
  const some = texts.slice(0, MAX_HOOKS);
  const long = some.filter((text) => text.length > MAX_HOOK_LENGTH).length;
  if (texts.length > some.length)
    place.past(`${formatCount(texts.length - some.length, 'text')} of hooks in ${show(place.file)}`);
  if (long > 0)
    place.past(`${formatCount(long, 'hook')} over ${MAX_HOOK_LENGTH} characters in ${show(place.file)}`);
  const words = some.flatMap((text) => text.slice(0, MAX_HOOK_LENGTH).split(/[\s"';|&()]/));
  const added: string[] = [];
  for (const script of await findScripts(words, '', place))
    if ((await add(script, false)).length > 0) added.push(show(script));
  return added;
}

async function readRoot(path: string, { files, contentOf, omissions }: FileSource) {
  const most = path.endsWith('.toml') ? MAX_TOML_BYTES : MAX_JSON_BYTES;
  const isLarge = (files.get(path)?.file.bytes ?? 0) > most;
  const text = isLarge ? undefined : decodeFileText(await contentOf(path))?.replace(/^\ufeff/, '');
  const leave = (what: string) =>
    omissions.miss('unreadable', `servers in ${path}: ${what}`, 'mend the file');
  if (text === undefined) leave(`it is not a text of up to ${most / 1000} kB`);
  return text?.trim() ? readAgentSettings(path, text, leave) : undefined;
}

async function describeServer(
  server: McpServerEntry,
  {
    path,
    place,
    title,
  }: { readonly path: string; readonly place: ServerSearchContext; readonly title: string },
  { omissions, add, show }: FileSource,
): Promise<AssistantPart> {
  const name = server.name.slice(0, 100);
  const words = server.words.map(yamlTextOf);
  const start = maskSettings(
    joinCommandWords(words.length > 0 ? words : [yamlTextOf(server.url)]).slice(0, 2000),
  ).slice(0, 300);
  const settings = { path, from: server.line, to: lastLine(server.node) };
  const found = await findServerCode(server, place);
  const paths: string[] = [];
  for (const one of found.paths) if ((await add(one, false)).length > 0) paths.push(show(one));
  const [what, fix] = found.missing ?? [];
  if (fix) omissions.miss('servers', `the server ${name} of ${title} ${what}`, fix);
  const missing = what && maskSettings(fix ? `it ${what}: ${fix}` : `it ${what}`).slice(0, 400);
  return { kind: 'server', name, start, settings, paths, version: found.version?.slice(0, 300), missing };
}

function textsIn(node: YamlNode): string[] {
  if (node.kind === 'text') return [node.text];
  return (node.kind === 'list' ? node.items : [...node.entries.values()]).flatMap(textsIn);
}

function lastLine(node: YamlNode): number {
  const inner = node.kind === 'text' ? [] : node.kind === 'list' ? node.items : [...node.entries.values()];
  return inner.reduce((last, one) => Math.max(last, lastLine(one)), node.line);
}
