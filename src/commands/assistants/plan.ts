import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Machine } from '../../command.ts';
import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { editJson, editToml } from './edit.ts';
import { ASSISTANTS, type Assistant, type ServerEntry } from './list.ts';
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

/** Returns the command that starts this program: by npx if npx installed it, otherwise by the paths of node and main file. */
export function buildServerEntry(
  { platform, node }: Machine,
  env: Readonly<Record<string, string>>,
): ServerEntry {
  const main = fileURLToPath(moduleUrl('../../main.ts', import.meta.url));
  const settings = Object.keys(env).length > 0 ? { env } : {};
  if (!/[\\/]_npx[\\/]/.test(main)) return { command: node, args: [main, 'stdio'], ...settings };
  const npx = ['-y', 'magpie-mcp', 'stdio'];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx], ...settings }
    : { command: 'npx', args: npx, ...settings };
}

/** Returns the named assistants or, without names, all on this machine. Throws AppError `bad_request` for an unknown name. */
export function chooseAssistants(names: readonly string[], machine: Machine): readonly Assistant[] {
  const known = new Map(ASSISTANTS.map((one) => [one.name, one]));
  const stranger = names.find((name) => !known.has(name));
  if (stranger !== undefined) {
    throw new AppError(
      'bad_request',
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

/** Returns the planned change to an assistant's file. Rejects if the file cannot be read. */
export async function planChange(
  assistant: Assistant,
  machine: Machine,
  entry: ServerEntry | undefined,
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
