import { PROJECT } from './project.ts';

/** Links that add Magpie to an assistant by a click, in the form that each documents. */

const START = { command: 'npx', args: ['-y', PROJECT.name, 'stdio'] } as const;

export interface Button {
  readonly assistant: string;
  /** The page that opens the assistant. GitHub shows no link of an assistant's own scheme, so it is one of its maker. */
  readonly link: string;
}

const vscode = (host: string) =>
  `https://${host}/redirect/mcp/install?name=magpie&config=${encodeURIComponent(JSON.stringify(START))}`;
const encoded = encodeURIComponent(Buffer.from(JSON.stringify(START)).toString('base64'));

export const BUTTONS: readonly Button[] = [
  { assistant: 'VS Code', link: vscode('vscode.dev') },
  { assistant: 'VS Code Insiders', link: `${vscode('insiders.vscode.dev')}&quality=insiders` },
  { assistant: 'Cursor', link: `https://cursor.com/en/install-mcp?name=magpie&config=${encoded}` },
  { assistant: 'LM Studio', link: `https://lmstudio.ai/install-mcp?name=magpie&config=${encoded}` },
];

/** All of them in one line of Markdown. */
export function buttonLine(): string {
  return BUTTONS.map(({ assistant, link }) => `[Add to ${assistant}](${link})`).join(' · ');
}

/** The line that adds it to an assistant with a command of its own. */
export const COMMANDS: readonly (readonly [assistant: string, line: string])[] = [
  ['Claude Code', `claude mcp add magpie -- npx -y ${PROJECT.name} stdio`],
  ['Codex', `codex mcp add magpie -- npx -y ${PROJECT.name} stdio`],
  ['Gemini CLI', `gemini mcp add magpie npx -y ${PROJECT.name} stdio`],
  ['VS Code', `code --add-mcp '${JSON.stringify({ name: 'magpie', ...START })}'`],
];

/** Buttons and commands, for the guide. */
export function installBlock(): string {
  const rows = COMMANDS.map(([assistant, line]) => `| ${assistant} | \`${line}\` |`);
  return [buttonLine(), '', '| assistant | in a terminal |', '| --- | --- |', ...rows].join('\n');
}
