/** Describes how to connect AI assistants to Magpie, for `magpie setup`, the console and docs/install. */

import setups from './assistants/setups.json' with { type: 'json' };

export const MCP_SERVER_NAME = 'magpie';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const NPX_LAUNCH_COMMAND = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] } as const;

/** Says what the toolset `essential` leaves out, for people who choose it. */
export const ABOUT_ESSENTIAL =
  'All tools are offered unless you choose fewer. The toolset essential is for assistants that warn of many tools: it leaves out second names of ' +
  'a tool (such as insert for upsert), searchgiant and hybrid, counts of the knowledge base, and resending of notifications.';

export const ESSENTIAL_ARGS = ['--toolsets', 'essential'] as const;

export function formatShellCommand({ command, args }: LaunchCommand): string {
  return [command, ...args]
    .map((word) => {
      if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
      return word.includes('\\') ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/** An assistant that can use MCP servers, as its documentation of November 2026 says. */
export interface AssistantSetup {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly next: string;
  /** A server at a URL. `address` names the setting that takes the URL, for example `serverUrl`. */
  readonly remote?: { readonly address: string; readonly more?: Readonly<Record<string, unknown>> };
  readonly command?: (start: LaunchCommand) => string;
}

const COMMANDS: Readonly<Record<string, AssistantSetup['command']>> = {
  'claude-code': (start) => `claude mcp add magpie -- ${formatShellCommand(start)}`,
  vscode: (start) => `code --add-mcp '${JSON.stringify({ name: MCP_SERVER_NAME, ...start })}'`,
  codex: (start) => `codex mcp add magpie -- ${formatShellCommand(start)}`,
  gemini: (start) => `gemini mcp add magpie ${formatShellCommand(start)}`,
};

export const ASSISTANT_SETUPS = Object.fromEntries(
  Object.entries(setups).map(([name, setup]) => [name, { ...setup, command: COMMANDS[name] }]),
) as unknown as Readonly<Record<keyof typeof setups, AssistantSetup>>;

const vscode = (host: string) =>
  `https://${host}/redirect/mcp/install?name=magpie&config=${encodeURIComponent(JSON.stringify(NPX_LAUNCH_COMMAND))}`;
const encoded = encodeURIComponent(Buffer.from(JSON.stringify(NPX_LAUNCH_COMMAND)).toString('base64'));

export const INSTALL_BUTTONS: readonly {
  readonly assistant: string;
  /** An https page that opens the assistant, because GitHub removes links with a custom URL scheme. */
  readonly link: string;
}[] = [
  { assistant: 'VS Code', link: vscode('vscode.dev') },
  { assistant: 'VS Code Insiders', link: `${vscode('insiders.vscode.dev')}&quality=insiders` },
  { assistant: 'Cursor', link: `https://cursor.com/en/install-mcp?name=magpie&config=${encoded}` },
  { assistant: 'LM Studio', link: `https://lmstudio.ai/install-mcp?name=magpie&config=${encoded}` },
];
