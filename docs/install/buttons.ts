import { ASSISTANT_SETUPS, INSTALL_BUTTONS, NPX_LAUNCH_COMMAND } from '../../src/lib/assistants.ts';

/** Links and commands that add Magpie to an assistant, as README shows them. */

/** All of them in one line of Markdown. */
function buttonLine(): string {
  return INSTALL_BUTTONS.map(({ assistant, link }) => `[Add to ${assistant}](${link})`).join(' · ');
}

/** Assistants with a command of their own. */
const COMMANDS = [
  ASSISTANT_SETUPS['claude-code'],
  ASSISTANT_SETUPS.codex,
  ASSISTANT_SETUPS.gemini,
  ASSISTANT_SETUPS.vscode,
] as const;

/** Buttons and commands. */
export function installBlock(): string {
  const rows = COMMANDS.map(({ title, command }) => `| ${title} | \`${command?.(NPX_LAUNCH_COMMAND)}\` |`);
  return [buttonLine(), '', '| assistant | in a terminal |', '| --- | --- |', ...rows].join('\n');
}
