import { prompts } from '../../prompts/index.ts';
import type { McpPrompt } from '../../src/prompt.ts';
import { promptText } from '../../src/server/mcp/prompts.ts';
import { operations } from '../../tools/index.ts';

/** Stands for what a person types while the text is written: every question takes an address, and some take nothing else. */
const STAND_IN = 'https://typed.example/';

/** The text of a slash command with `place`, which a host replaces, where the first argument goes. */
export function promptTemplate(prompt: McpPrompt, place: string): string {
  const [first] = prompt.arguments;
  const given = first ? { [first.name]: STAND_IN } : {};
  return promptText({ operations, prompts }, prompt, given, () => true).replaceAll(STAND_IN, place);
}
