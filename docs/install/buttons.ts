import { ASSISTANT_FACTS, type AssistantFacts, INSTALL_BUTTONS } from '../../src/lib/assistants.ts';

/** Links and commands that add Magpie to an assistant, as README shows them. */

/** All of them in one line of Markdown. */
function buttonLine(): string {
  return INSTALL_BUTTONS.map(({ assistant, link }) => `[Add to ${assistant}](${link})`).join(' · ');
}

/** Assistants with a command of their own. */
const COMMANDS: readonly AssistantFacts[] = [
  ASSISTANT_FACTS['claude-code'],
  ASSISTANT_FACTS.codex,
  ASSISTANT_FACTS.gemini,
  ASSISTANT_FACTS.vscode,
];

/** Buttons and commands. */
export function installBlock(): string {
  const rows = COMMANDS.map(({ title, command }) => `| ${title} | \`${command}\` |`);
  return [buttonLine(), '', '| assistant | in a terminal |', '| --- | --- |', ...rows].join('\n');
}
