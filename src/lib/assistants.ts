export const SERVER_NAME = 'magpie';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const NPX_LAUNCH_COMMAND = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] } as const;

/** Returns the command as one line for a shell. A Windows path needs double quotes. */
export function formatShellCommand({ command, args }: LaunchCommand): string {
  return [command, ...args]
    .map((word) => {
      if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
      return word.includes('\\') ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/** An assistant that can use an MCP server, by its documentation of November 2026. */
export interface AssistantSetup {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  readonly key: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly next: string;
  /** `address` is the name of the configuration member that holds the URL. */
  readonly remote?: { readonly address: string; readonly more?: Readonly<Record<string, unknown>> };
  readonly command?: (start: LaunchCommand) => string;
}

const RESTART = 'restart it';

export const ASSISTANT_SETUPS = {
  'claude-desktop': {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    key: 'mcpServers',
    next: 'quit it whole and start it again',
  },
  'claude-code': {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    more: { type: 'stdio' },
    next: 'start it again',
    remote: { address: 'url', more: { type: 'http' } },
    command: (start) => `claude mcp add magpie -- ${formatShellCommand(start)}`,
  },
  vscode: {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    key: 'servers',
    more: { type: 'stdio' },
    next: 'run "MCP: List Servers" there and start magpie',
    remote: { address: 'url', more: { type: 'http' } },
    command: (start) => `code --add-mcp '${JSON.stringify({ name: SERVER_NAME, ...start })}'`,
  },
  cursor: {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    key: 'mcpServers',
    next: RESTART,
    remote: { address: 'url' },
  },
  codex: {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    next: 'start it again',
    remote: { address: 'url' },
    command: (start) => `codex mcp add magpie -- ${formatShellCommand(start)}`,
  },
  gemini: {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    next: 'start it again',
    remote: { address: 'httpUrl' },
    command: (start) => `gemini mcp add magpie ${formatShellCommand(start)}`,
  },
  windsurf: {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    key: 'mcpServers',
    next: RESTART,
    remote: { address: 'serverUrl' },
  },
  zed: {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    key: 'context_servers',
    more: { source: 'custom', enabled: true },
    next: 'nothing: it reads the file at once',
    remote: { address: 'url' },
  },
  lmstudio: {
    name: 'lmstudio',
    title: 'LM Studio',
    format: 'json',
    key: 'mcpServers',
    next: 'switch magpie on in its list of integrations',
    remote: { address: 'url' },
  },
} as const satisfies Readonly<Record<string, AssistantSetup>>;

export interface InstallButton {
  readonly assistant: string;
  /** An https page that opens the assistant. GitHub removes links with a custom URL scheme. */
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
