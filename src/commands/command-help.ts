import { z } from 'zod';
import type { Command } from '../command.ts';
import help from './help.json' with { type: 'json' };

type CommandName = keyof typeof help;

interface CommandWords {
  readonly summary: string;
  readonly flags?: Readonly<Record<string, string>>;
}

/** Returns what the help and the manual page say of a command. */
export function commandHelp(
  name: CommandName,
): Pick<Command, 'name' | 'summary' | 'description' | 'examples'> {
  const { summary, description, examples } = help[name];
  return { name, summary, description, examples: Object.entries(examples) };
}

/** Returns the input of a command, whose flags have the descriptions of `help.json`. */
export function commandFlags<Flags extends z.ZodRawShape>(
  name: CommandName,
  flags: Flags,
): z.ZodObject<Flags> {
  const { flags: words = {} }: CommandWords = help[name];
  const described = Object.entries(flags).map(([flag, type]) => {
    const said = words[flag];
    return [flag, said === undefined ? type : (type as z.ZodType).describe(said)] as const;
  });
  return z.object(Object.fromEntries(described) as Flags);
}
