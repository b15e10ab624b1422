import type { Command } from '../command.ts';
import { flagOf } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import type { Operation } from '../operation.ts';
import { type InputDeclaration, inputSchema } from '../server/input.ts';
import type { JsonSchema } from '../server/json-schema.ts';

export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly kind: 'switch' | 'value' | 'list';
  readonly values?: readonly string[] | undefined;
  readonly about?: string | undefined;
}

const YES: Flag = { name: 'yes', kind: 'switch', about: 'does it without asking, for scripts' };

export const SETTING_FLAGS: readonly Flag[] = [
  ...Object.entries(SETTINGS).map(([name, { takes, about }]): Flag => {
    return { name: flagOf(name), kind: takes === 'true or false' ? 'switch' : 'value', about };
  }),
  { name: 'config', kind: 'value', about: 'The settings file. Default: settings.json in the data folder.' },
];

export const GLOBAL_FLAGS: readonly Flag[] = [
  ...SETTING_FLAGS,
  { name: 'json', kind: 'switch', about: 'the answer as JSON, for scripts' },
  { name: 'help', kind: 'switch', short: 'h', about: 'what there is, or the flags of the command' },
  { name: 'version', kind: 'switch', short: 'v', about: 'the version' },
];

export const operationFlags = (operation: Operation): Flag[] =>
  flagsOf(operation, Object.keys(inputSchema(operation).properties ?? {}), (name) => name);

export function commandFlags(command: Command): Flag[] {
  const keys = Object.keys(inputSchema(command).properties ?? {});
  return flagsOf(
    command,
    keys.filter((name) => !command.words.includes(name)),
    flagOf,
  );
}

function flagsOf(
  declared: InputDeclaration & { readonly question?: unknown },
  keys: readonly string[],
  nameOf: (key: string) => string,
): Flag[] {
  const { properties = {} } = inputSchema(declared);
  const flags = keys.map((key): Flag => {
    const schema = properties[key] ?? {};
    return { name: nameOf(key), kind: kindOf(schema), values: enumValues(schema), about: schema.description };
  });
  return declared.question ? [...flags, YES] : flags;
}

const kindOf = ({ type }: JsonSchema): Flag['kind'] =>
  type === 'boolean' ? 'switch' : type === 'array' ? 'list' : 'value';

export const enumValues = (schema: JsonSchema): string[] | undefined =>
  (schema.enum ?? schema.items?.enum)?.map(String);
