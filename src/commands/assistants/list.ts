import type { Machine } from '../../command.ts';
import { homePath, settingsPath } from './machine.ts';

/** How an assistant starts a server, as its file has it. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An assistant that starts servers by itself, and where it reads which ones. */
export interface Assistant {
  /** As the command line names it. */
  readonly name: string;
  readonly title: string;
  /** Files that it may read, the one in use first; where none is there, the first is written. */
  files(machine: Machine): readonly string[];
  /** A folder that is there where the assistant is. */
  folder(machine: Machine): string;
  readonly format: 'json' | 'toml';
  /** The key of its file that servers stand under. */
  readonly key: string;
  /** What the entry has besides the command; nothing when left out. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** What takes the change in. */
  readonly next: string;
}

const RESTART = 'restart it';

/** Every assistant that `magpie setup` knows, from their documentation of November 2026. */
export const ASSISTANTS: readonly Assistant[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    files: (machine) => [settingsPath(machine, 'Claude', 'claude_desktop_config.json')],
    folder: (machine) => settingsPath(machine, 'Claude'),
    format: 'json',
    key: 'mcpServers',
    next: 'quit it whole and start it again',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    files: (machine) => [homePath(machine, '.claude.json')],
    folder: (machine) => homePath(machine, '.claude'),
    format: 'json',
    key: 'mcpServers',
    more: { type: 'stdio' },
    next: 'start it again',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    files: (machine) => [settingsPath(machine, 'Code', 'User', 'mcp.json')],
    folder: (machine) => settingsPath(machine, 'Code', 'User'),
    format: 'json',
    key: 'servers',
    more: { type: 'stdio' },
    next: 'run "MCP: List Servers" there and start magpie',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    files: (machine) => [homePath(machine, '.cursor', 'mcp.json')],
    folder: (machine) => homePath(machine, '.cursor'),
    format: 'json',
    key: 'mcpServers',
    next: RESTART,
  },
  {
    name: 'codex',
    title: 'Codex',
    files: (machine) => [homePath(machine, '.codex', 'config.toml')],
    folder: (machine) => homePath(machine, '.codex'),
    format: 'toml',
    key: 'mcp_servers',
    next: 'start it again',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    files: (machine) => [homePath(machine, '.gemini', 'settings.json')],
    folder: (machine) => homePath(machine, '.gemini'),
    format: 'json',
    key: 'mcpServers',
    next: 'start it again',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    files: (machine) => [homePath(machine, '.codeium', 'windsurf', 'mcp_config.json')],
    folder: (machine) => homePath(machine, '.codeium', 'windsurf'),
    format: 'json',
    key: 'mcpServers',
    next: RESTART,
  },
  {
    name: 'zed',
    title: 'Zed',
    files: zedFiles,
    folder: (machine) => zedFolder(machine),
    format: 'json',
    key: 'context_servers',
    more: { source: 'custom', enabled: true },
    next: 'nothing: it reads the file at once',
  },
  {
    name: 'lmstudio',
    title: 'LM Studio',
    files: (machine) => [
      homePath(machine, '.lmstudio', 'mcp.json'),
      homePath(machine, '.cache', 'lm-studio', 'mcp.json'),
    ],
    folder: (machine) => homePath(machine, '.lmstudio'),
    format: 'json',
    key: 'mcpServers',
    next: 'switch magpie on in its list of integrations',
  },
];

/** On macOS Zed reads `~/.config`, as on Linux. */
function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return settingsPath(machine, 'Zed');
  return machine.platform === 'darwin' ? homePath(machine, '.config', 'zed') : settingsPath(machine, 'zed');
}

function zedFiles(machine: Machine): string[] {
  const folder = zedFolder(machine);
  return [machine.platform === 'win32' ? `${folder}\\settings.json` : `${folder}/settings.json`];
}
