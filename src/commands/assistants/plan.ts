import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import type { Machine } from '../../command.ts';
import { AppError, badRequestError } from '../../errors.ts';
import { MCP_SERVER_NAME as SERVER } from '../../lib/assistants.ts';
import { attempt } from '../../lib/attempt.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { ASSISTANTS, type Assistant, type McpServerCommand } from './list.ts';
import { OPEN_WEBUI } from './open-webui.ts';
import { readFileIfExists } from './write.ts';

export interface AssistantFileChange {
  readonly assistant: Assistant;
  readonly file: string;
  readonly kind: 'add' | 'replace' | 'remove' | 'none';
  readonly entry: unknown;
  readonly before: unknown;
  readonly text: string;
}

export interface RefusedChange {
  readonly assistant: Assistant;
  readonly file: string;
  readonly reason: string;
}

export function buildServerEntry(
  { platform, node }: Machine,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): McpServerCommand {
  const main = fileURLToPath(moduleUrl('../../main.ts', import.meta.url));
  const settings = Object.keys(env).length > 0 ? { env } : {};
  if (!/[\\/]_npx[\\/]/.test(main)) return { command: node, args: [main, 'stdio', ...flags], ...settings };
  const npx = ['-y', 'magpie-mcp', 'stdio', ...flags];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx], ...settings }
    : { command: 'npx', args: npx, ...settings };
}

/** Returns the named assistants, or all on this machine. Throws `bad_request` for an unknown name. */
export function chooseAssistants(names: readonly string[], machine: Machine): readonly Assistant[] {
  const known = new Map(ASSISTANTS.map((one) => [one.name, one]));
  const stranger = names.find((name) => !known.has(name));
  if (stranger !== undefined) {
    throw badRequestError(
      `names takes ${[...known.keys(), OPEN_WEBUI].join(', ')}; ${JSON.stringify(stranger)} is not one of them`,
    );
  }
  if (names.length > 0) return ASSISTANTS.filter(({ name }) => names.includes(name));
  return ASSISTANTS.filter((one) => existsSync(one.folder(machine)) || existsSync(fileOf(one, machine)));
}

function fileOf(assistant: Assistant, machine: Machine): string {
  const files = assistant.files(machine);
  return files.find((file) => existsSync(file)) ?? (files[0] as string);
}

export async function planChange(
  assistant: Assistant,
  machine: Machine,
  entry: McpServerCommand | undefined,
): Promise<AssistantFileChange | RefusedChange> {
  const file = fileOf(assistant, machine);
  const wanted = entry && { ...assistant.more, ...entry };
  try {
    const old = (await readFileIfExists(file)) ?? '';
    const edit = assistant.format === 'json' ? editJson : editToml;
    const { text, before } = edit(old, assistant.key, wanted, file);
    const same = JSON.stringify(before) === JSON.stringify(wanted);
    const kind = same ? 'none' : wanted === undefined ? 'remove' : before === undefined ? 'add' : 'replace';
    return { assistant, file, kind, entry: wanted, before, text };
  } catch (error) {
    return { assistant, file, reason: error instanceof Error ? error.message : String(error) };
  }
}

const DEEPEST = 100;

interface EditedFile {
  readonly text: string;
  readonly before: unknown;
}

/** Sets or removes Magpie's entry in the object `key` of a JSON text. Throws `unsupported` if invalid. */
export function editJson(text: string, key: string, entry: unknown, file: string): EditedFile {
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = source.slice(0, first.offset).split('\n').length;
    throw unreadable(file, `${printParseErrorCode(first.error)} in line ${line}`);
  }
  if (root?.type !== 'object') throw unreadable(file, 'it holds no object');
  const servers = findNodeAtLocation(root, [key]);
  if (servers && servers.type !== 'object') throw unreadable(file, `"${key}" is not an object`);
  const old = servers && findNodeAtLocation(servers, [SERVER]);
  const indented = /^([ \t]+)"/m.exec(source)?.[1] ?? '  ';
  const edits = modify(source, [key, SERVER], entry, {
    // Inserts the entry before all others, so that a comment after the last entry stays there.
    getInsertionIndex: () => 0,
    formattingOptions: {
      insertSpaces: !indented.startsWith('\t'),
      tabSize: indented.length,
      eol: source.includes('\r\n') ? '\r\n' : '\n',
    },
  });
  const edited = entry === undefined && !old ? source : applyEdits(source, edits);
  return { text: edited, before: old && getNodeValue(old) };
}

/** Edits TOML as `editJson` edits JSON. Writes the table `[key.magpie]` at the end of the file. */
export function editToml(text: string, key: string, entry: unknown, file: string): EditedFile {
  const before = readToml(text, file);
  const old = (before[key] as Record<string, unknown> | undefined)?.[SERVER];
  const rest = old === undefined ? text : withoutTable(text, `${key}.${SERVER}`);
  const table =
    entry === undefined ? '' : stringifyToml({ [key]: { [SERVER]: entry } }).replace(`[${key}]\n`, '');
  const joint = rest === '' || rest.endsWith('\n\n') ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  const edited = entry === undefined ? rest : `${rest}${joint}${table.trim()}\n`;
  // Checks the edited file, because `withoutTable` does not remove an inline table or a dotted key.
  const after = attempt(() => parseToml(edited, { maxDepth: DEEPEST }));
  const kept = without(before, key);
  if (
    !after ||
    JSON.stringify(without(after, key)) !== JSON.stringify(kept) ||
    has(after, key) !== (entry !== undefined)
  ) {
    throw unreadable(
      file,
      `its table ${key}.${SERVER} has a form that cannot be changed safely: change it by hand`,
    );
  }
  return { text: edited, before: old };
}

function readToml(text: string, file: string): Record<string, unknown> {
  try {
    return parseToml(text, { maxDepth: DEEPEST }) as Record<string, unknown>;
  } catch (error) {
    throw unreadable(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is not TOML');
  }
}

function without(all: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: servers, ...rest } = all;
  const { [SERVER]: _, ...others } = (servers ?? {}) as Record<string, unknown>;
  return { ...rest, ...(Object.keys(others).length > 0 && { [key]: others }) };
}

const has = (all: Record<string, unknown>, key: string): boolean =>
  Object.hasOwn((all[key] ?? {}) as object, SERVER);

function withoutTable(text: string, name: string): string {
  let own = false;
  const lines = text.split('\n').filter((line) => {
    const head = line.trimStart().startsWith('[') ? line.split(']')[0]?.replace(/[["'\s]/g, '') : undefined;
    if (head !== undefined) own = head === name || head.startsWith(`${name}.`);
    return !own;
  });
  return lines.join('\n').replace(/\n{3,}/g, '\n\n');
}

const unreadable = (file: string, why: string): AppError =>
  new AppError('unsupported', `${file} is left as it is: ${why}`);
