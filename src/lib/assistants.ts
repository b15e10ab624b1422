/** How assistants are connected to Magpie: read by `magpie setup`, by the console's Connect page and by docs/install. */

/** The name of the server in every assistant's file. */
export const SERVER_NAME = 'magpie';

/** How a program is started: the program and its arguments. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** How an assistant starts the package over stdio. */
export const NPX_START = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] } as const;

/** A start as a line for a shell; a path with backslashes is of Windows, whose shells quote otherwise. */
export function startLine({ command, args }: Start): string {
  return [command, ...args]
    .map((word) => {
      if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
      return word.includes('\\') ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/** An assistant that starts servers by itself, or calls those that run; from their documentation of November 2026. */
export interface AssistantFacts {
  /** As the command line names it. */
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The key of its file that servers stand under. */
  readonly key: string;
  /** What the entry has besides the command; nothing when left out. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** What takes the change in. */
  readonly next: string;
  /** Of a server that runs: the member that takes its address, and what stands beside it. Undefined where the address is typed into a form. */
  readonly remote?: { readonly address: string; readonly more?: Readonly<Record<string, unknown>> };
  /** The line of its own command that adds Magpie over stdio, started as is given. */
  readonly command?: (start: Start) => string;
}

const RESTART = 'restart it';

export const ASSISTANT_FACTS = {
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
    command: (start) => `claude mcp add magpie -- ${startLine(start)}`,
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
    command: (start) => `codex mcp add magpie -- ${startLine(start)}`,
  },
  gemini: {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    next: 'start it again',
    remote: { address: 'httpUrl' },
    command: (start) => `gemini mcp add magpie ${startLine(start)}`,
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
} as const satisfies Readonly<Record<string, AssistantFacts>>;

/** A link that adds Magpie to an assistant by a click, in the form that each documents. */
export interface InstallButton {
  readonly assistant: string;
  /** The page that opens the assistant. GitHub shows no link of an assistant's own scheme, so it is one of its maker. */
  readonly link: string;
}

const vscode = (host: string) =>
  `https://${host}/redirect/mcp/install?name=magpie&config=${encodeURIComponent(JSON.stringify(NPX_START))}`;
const encoded = encodeURIComponent(Buffer.from(JSON.stringify(NPX_START)).toString('base64'));

export const INSTALL_BUTTONS: readonly InstallButton[] = [
  { assistant: 'VS Code', link: vscode('vscode.dev') },
  { assistant: 'VS Code Insiders', link: `${vscode('insiders.vscode.dev')}&quality=insiders` },
  { assistant: 'Cursor', link: `https://cursor.com/en/install-mcp?name=magpie&config=${encoded}` },
  { assistant: 'LM Studio', link: `https://lmstudio.ai/install-mcp?name=magpie&config=${encoded}` },
];
