import type { Machine } from '../../command.ts';
import { ASSISTANT_SETUPS, type AssistantSetup } from '../../lib/assistants.ts';
import { homePath, settingsPath } from './machine.ts';

export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Assistant extends AssistantSetup {
  /** Configuration files that the assistant may read. The first existing file is used. If none exists, the first is created. */
  files(machine: Machine): readonly string[];
  /** Returns a folder that exists if the assistant is installed. */
  folder(machine: Machine): string;
  /** Name of the assistant's program, if it has one. The program prints its version with `--version`. */
  readonly program?: string;
}

export const ASSISTANTS: readonly Assistant[] = [
  {
    ...ASSISTANT_SETUPS['claude-desktop'],
    files: (machine) => [settingsPath(machine, 'Claude', 'claude_desktop_config.json')],
    folder: (machine) => settingsPath(machine, 'Claude'),
  },
  {
    ...ASSISTANT_SETUPS['claude-code'],
    files: (machine) => [homePath(machine, '.claude.json')],
    folder: (machine) => homePath(machine, '.claude'),
    program: 'claude',
  },
  {
    ...ASSISTANT_SETUPS.vscode,
    files: (machine) => [settingsPath(machine, 'Code', 'User', 'mcp.json')],
    folder: (machine) => settingsPath(machine, 'Code', 'User'),
    program: 'code',
  },
  {
    ...ASSISTANT_SETUPS.cursor,
    files: (machine) => [homePath(machine, '.cursor', 'mcp.json')],
    folder: (machine) => homePath(machine, '.cursor'),
    program: 'cursor',
  },
  {
    ...ASSISTANT_SETUPS.codex,
    files: (machine) => [homePath(machine, '.codex', 'config.toml')],
    folder: (machine) => homePath(machine, '.codex'),
    program: 'codex',
  },
  {
    ...ASSISTANT_SETUPS.gemini,
    files: (machine) => [homePath(machine, '.gemini', 'settings.json')],
    folder: (machine) => homePath(machine, '.gemini'),
    program: 'gemini',
  },
  {
    ...ASSISTANT_SETUPS.windsurf,
    files: (machine) => [homePath(machine, '.codeium', 'windsurf', 'mcp_config.json')],
    folder: (machine) => homePath(machine, '.codeium', 'windsurf'),
  },
  { ...ASSISTANT_SETUPS.zed, files: zedFiles, folder: (machine) => zedFolder(machine), program: 'zed' },
  {
    ...ASSISTANT_SETUPS.lmstudio,
    files: (machine) => [
      homePath(machine, '.lmstudio', 'mcp.json'),
      homePath(machine, '.cache', 'lm-studio', 'mcp.json'),
    ],
    folder: (machine) => homePath(machine, '.lmstudio'),
  },
];

/** Returns Zed's settings folder. On macOS it is `~/.config/zed`, not a folder in `~/Library`. */
function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return settingsPath(machine, 'Zed');
  return machine.platform === 'darwin' ? homePath(machine, '.config', 'zed') : settingsPath(machine, 'zed');
}

function zedFiles(machine: Machine): string[] {
  const folder = zedFolder(machine);
  return [machine.platform === 'win32' ? `${folder}\\settings.json` : `${folder}/settings.json`];
}
