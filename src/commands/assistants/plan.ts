import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Machine } from '../../command.ts';
import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { editJson, editToml } from './edit.ts';
import { ASSISTANTS, type Assistant, type Entry } from './list.ts';
import { OPEN_WEBUI } from './open-webui.ts';
import { readIfThere } from './write.ts';

/** What is to be done with the file of one assistant. */
export interface Change {
  readonly assistant: Assistant;
  readonly file: string;
  readonly kind: 'add' | 'replace' | 'remove' | 'none';
  /** The entry as it is to be; undefined where it goes. */
  readonly entry: unknown;
  /** The entry that is there now. */
  readonly before: unknown;
  /** The whole file as it is to be. */
  readonly text: string;
}

/** A file that cannot be changed, and why. */
export interface Refused {
  readonly assistant: Assistant;
  readonly file: string;
  readonly reason: string;
}

/** How an assistant starts this program: by npx where npx has fetched it, else by the paths of node and of this code. */
export function entryOf({ platform, node }: Machine, env: Readonly<Record<string, string>>): Entry {
  const main = fileURLToPath(moduleUrl('../../main.ts', import.meta.url));
  const settings = Object.keys(env).length > 0 ? { env } : {};
  if (!/[\\/]_npx[\\/]/.test(main)) return { command: node, args: [main, 'stdio'], ...settings };
  const npx = ['-y', 'magpie-mcp', 'stdio'];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx], ...settings }
    : { command: 'npx', args: npx, ...settings };
}

/** The assistants of these names, or those that this machine has. AppError `bad_request` for a name that is none. */
export function assistantsOf(names: readonly string[], machine: Machine): readonly Assistant[] {
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

/** What changes in the file of one assistant. Rejects where its file cannot be read. */
export async function changeOf(
  assistant: Assistant,
  machine: Machine,
  entry: Entry | undefined,
): Promise<Change | Refused> {
  const file = fileOf(assistant, machine);
  const wanted = entry && { ...assistant.more, ...entry };
  try {
    const old = (await readIfThere(file)) ?? '';
    const edit = assistant.format === 'json' ? editJson : editToml;
    const { text, before } = edit(old, assistant.key, wanted, file);
    const same = JSON.stringify(before) === JSON.stringify(wanted);
    const kind = same ? 'none' : wanted === undefined ? 'remove' : before === undefined ? 'add' : 'replace';
    return { assistant, file, kind, entry: wanted, before, text };
  } catch (error) {
    return { assistant, file, reason: error instanceof Error ? error.message : String(error) };
  }
}
