import type { Command } from '../command.ts';
import { flagOf } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import type { Operation } from '../operation.ts';
import { type Declared, inputSchema, type JsonSchema } from '../server/input.ts';

/** A flag of the command line, read from a declaration. */
export interface Flag {
  /** Without its hyphens. */
  readonly name: string;
  readonly short?: string;
  /** A switch takes no value, a list may be given several times. */
  readonly kind: 'switch' | 'value' | 'list';
  /** The only values that it takes. */
  readonly values?: readonly string[] | undefined;
  readonly about?: string | undefined;
}

const YES: Flag = { name: 'yes', kind: 'switch', about: 'does it without asking, for scripts' };

/** The settings as flags. */
export const SETTING_FLAGS: readonly Flag[] = [
  ...Object.entries(SETTINGS).map(([name, { takes, about }]): Flag => {
    return { name: flagOf(name), kind: takes === 'true or false' ? 'switch' : 'value', about };
  }),
  { name: 'config', kind: 'value', about: 'The settings file. Default: settings.json in the data folder.' },
];

/** Flags that every command line takes. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  ...SETTING_FLAGS,
  { name: 'json', kind: 'switch', about: 'the answer as JSON, for scripts' },
  { name: 'help', kind: 'switch', short: 'h', about: 'what there is, or the flags of the command' },
  { name: 'version', kind: 'switch', short: 'v', about: 'the version' },
];

/**
 * An operation's flags, read from its input: a boolean is a switch, a list may be given several times, every other
 * value is text, decoded by the same schema as a query string.
 */
export function operationFlags(operation: Operation): Flag[] {
  return flagsOf(operation, Object.keys(inputSchema(operation).properties ?? {}), (name) => name);
}

/** A command's flags: the keys of its input in kebab-case, without those that are words. */
export function commandFlags(command: Command): Flag[] {
  const keys = Object.keys(inputSchema(command).properties ?? {});
  return flagsOf(
    command,
    keys.filter((name) => !command.words.includes(name)),
    flagOf,
  );
}

function flagsOf(
  declared: Declared & { readonly question?: unknown },
  keys: readonly string[],
  nameOf: (key: string) => string,
): Flag[] {
  const { properties = {} } = inputSchema(declared);
  const flags = keys.map((key): Flag => {
    const schema = properties[key] ?? {};
    return { name: nameOf(key), kind: kindOf(schema), values: valuesOf(schema), about: schema.description };
  });
  return declared.question ? [...flags, YES] : flags;
}

function kindOf({ type }: JsonSchema): Flag['kind'] {
  return type === 'boolean' ? 'switch' : type === 'array' ? 'list' : 'value';
}

/** What an enumeration takes, by itself or as an element of a list. */
export function valuesOf(schema: JsonSchema): string[] | undefined {
  return (schema.enum ?? schema.items?.enum)?.map(String);
}
