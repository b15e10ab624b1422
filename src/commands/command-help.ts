import type { Command } from '../command.ts';
import help from './help.json' with { type: 'json' };

/** Returns what the help and the manual page say of a command. Its flags are described where they are read. */
export function commandHelp(
  name: keyof typeof help,
): Pick<Command, 'name' | 'summary' | 'description' | 'examples'> {
  const { summary, description, examples } = help[name];
  return { name, summary, description, examples: Object.entries(examples) };
}
