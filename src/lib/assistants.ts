/** This file describes how AI assistants are connected to Magpie, for `magpie setup`, the console and docs/install. */

import setups from './assistants/setups.json' with { type: 'json' };

export const SERVER_NAME = 'magpie';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const NPX_LAUNCH_COMMAND = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] } as const;

/** Returns the command as one line for a shell. An argument with a backslash is a Windows path, which needs double quotes. */
export function formatShellCommand({ command, args }: LaunchCommand): string {
  return [command, ...args]
    .map((word) => {
      if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
      return word.includes('\\') ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/** An assistant that can start or connect to an MCP server. The data are from the assistant's documentation of November 2026. */
export interface AssistantSetup {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
  /** Further members that the assistant's configuration entry for Magpie needs, besides the command that starts Magpie. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly next: string;
  /** How an assistant connects to a server by URL. `address` is the name of the configuration member that holds the URL. */
  readonly remote?: { readonly address: string; readonly more?: Readonly<Record<string, unknown>> };
  /** Returns the assistant's own command line to add Magpie over stdio. `start` is the command that starts Magpie. */
  readonly command?: (start: LaunchCommand) => string;
}

const COMMANDS: Readonly<Record<string, AssistantSetup['command']>> = {
  'claude-code': (start) => `claude mcp add magpie -- ${formatShellCommand(start)}`,
  vscode: (start) => `code --add-mcp '${JSON.stringify({ name: SERVER_NAME, ...start })}'`,
  codex: (start) => `codex mcp add magpie -- ${formatShellCommand(start)}`,
  gemini: (start) => `gemini mcp add magpie ${formatShellCommand(start)}`,
};

export const ASSISTANT_SETUPS = Object.fromEntries(
  Object.entries(setups).map(([name, setup]) => [name, { ...setup, command: COMMANDS[name] }]),
) as unknown as Readonly<Record<keyof typeof setups, AssistantSetup>>;

export interface InstallButton {
  readonly assistant: string;
  /** An https page of the vendor that opens the assistant. A link with a custom URL scheme is not used, as GitHub removes it. */
  readonly link: string;
}

const vscode = (host: string) =>
  `https://${host}/redirect/mcp/install?name=magpie&config=${encodeURIComponent(JSON.stringify(NPX_LAUNCH_COMMAND))}`;
const encoded = encodeURIComponent(Buffer.from(JSON.stringify(NPX_LAUNCH_COMMAND)).toString('base64'));

export const INSTALL_BUTTONS: readonly InstallButton[] = [
  { assistant: 'VS Code', link: vscode('vscode.dev') },
  { assistant: 'VS Code Insiders', link: `${vscode('insiders.vscode.dev')}&quality=insiders` },
  { assistant: 'Cursor', link: `https://cursor.com/en/install-mcp?name=magpie&config=${encoded}` },
  { assistant: 'LM Studio', link: `https://lmstudio.ai/install-mcp?name=magpie&config=${encoded}` },
];
