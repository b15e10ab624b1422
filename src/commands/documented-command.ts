import { z } from 'zod';
import { type Command, type CommandContext, type CommandOutcome, defineCommand } from '../command.ts';
import help from './help.json' with { type: 'json' };

type CommandName = keyof typeof help;

interface CommandWords extends Pick<Command, 'summary' | 'description'> {
  readonly examples: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
}

type CommandActs<Flags extends z.ZodRawShape> = Omit<
  Command<z.ZodObject<Flags>>,
  keyof CommandWords | 'name' | 'words' | 'input' | 'run'
> & {
  readonly words?: readonly (keyof Flags & string)[];
  readonly flags: Flags;
  /** A command that ends without an outcome is done. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return gives void
  run(input: z.output<z.ZodObject<Flags>>, ctx: CommandContext): Promise<CommandOutcome | void>;
  /** Stands for `{names}` in the description. */
  readonly names?: string;
};

/** Makes a command of what it does and of what `help.json` says of it and of its flags. */
export function documentedCommand<Flags extends z.ZodRawShape>(
  name: CommandName,
  { words = [], flags, names = '', run, ...acts }: CommandActs<Flags>,
): Command<z.ZodObject<Flags>> {
  const { summary, description, examples, flags: said = {} }: CommandWords = help[name];
  const described = Object.entries(flags).map(([flag, type]) => {
    const about = said[flag];
    return [flag, about === undefined ? type : (type as z.ZodType).describe(about)] as const;
  });
  return defineCommand<z.ZodObject<Flags>>({
    ...acts,
    ...{ name, summary, words, examples: Object.entries(examples) },
    description: description.replace('{names}', names),
    input: z.object(Object.fromEntries(described) as Flags),
    run: async (input, ctx) => (await run(input, ctx)) ?? 'done',
  });
}
