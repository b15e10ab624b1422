import { accessSync, constants, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import querystring from 'node:querystring';
import { z } from 'zod';
import { badRequestError } from '../errors.ts';
import { attempt } from '../lib/attempt.ts';
import { describeFileError } from '../lib/file-error.ts';
import { redactSecrets } from '../lib/secrets/redact.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import type { Setting, SettingOrigin } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';

export type Config = Readonly<{ [K in SettingName]: z.output<(typeof SETTINGS)[K]['schema']> }> & {
  readonly data: string;
  readonly user: string;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export const processEnvironment = (): Environment => process.env;

export type Flags = Readonly<Record<string, unknown>>;

/** Reads each setting from its flag, environment variable, file or default. Throws AppError if invalid. */
export function loadConfig(flags: Flags, env: Environment): Config {
  const file = readSettingsFile(flags, env);
  const values: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const flag = flags[name];
    const variable = env[setting.env];
    if (flag !== undefined && !isUnfilled(flag)) {
      values[name] = parseSetting(`--${flagOf(name)}`, expandHome(flag, env), setting);
      origins[name] = 'flag';
    } else if (variable !== undefined && variable !== '' && !isUnfilled(variable)) {
      values[name] = parseSetting(setting.env, expandHome(variable, env), setting);
      origins[name] = 'environment';
    } else if (file.values[name] !== undefined) {
      values[name] = parseSetting(`${name} in ${file.path}`, expandHome(file.values[name], env), setting);
      origins[name] = 'file';
    } else {
      values[name] = setting.schema.parse(undefined);
    }
  }
  values.data ??= defaultDataFolder(env);
  values.user ??= attempt(() => userInfo().username) || 'local';
  const config = Object.freeze(values) as Config;
  ORIGINS.set(config, origins);
  ENVIRONMENTS.set(config, env);
  return config;
}

/** Returns true for a place holder such as `${user_config.key}`, which a client passes on if its user gave no value. */
const isUnfilled = (value: unknown): boolean =>
  typeof value === 'string' && /^\$\{[^{}]{1,200}\}$/.test(value.trim());

const ENVIRONMENTS = new WeakMap<Config, Environment>();

export const environmentOf = (config: Config): Environment => ENVIRONMENTS.get(config) ?? {};

const ORIGINS = new WeakMap<Config, Readonly<Record<string, SettingOrigin>>>();

export const getSettingOrigins = (config: Config): Readonly<Record<string, SettingOrigin>> =>
  ORIGINS.get(config) ?? {};

export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function configuredUrl({ publicUrl, host, port }: Config): string | undefined {
  if (publicUrl !== undefined || port === 0) return publicUrl;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function secretsOf(config: Config): string[] {
  const values: Readonly<Record<string, unknown>> = config;
  return Object.entries(SETTINGS).flatMap(([name, setting]: [string, Setting]) =>
    [values[name]].flat().flatMap((value) => (typeof value === 'string' ? secretsIn(value, setting) : [])),
  );
}

function secretsIn(value: string, { secret }: Setting): string[] {
  // Some values begin with a name, for example `name=https://user:password@host` or `name:key`.
  const address = /(?:https?|postgres(?:ql)?):.*/s.exec(value)?.[0] ?? '';
  if (!URL.canParse(address)) {
    const keys = [value.slice(value.lastIndexOf(':') + 1), value.slice(value.indexOf('=') + 1)];
    return secret ? [value, ...keys] : [];
  }
  const { password, pathname, search, searchParams } = new URL(address);
  const held = [password, querystring.unescape(password)];
  return secret ? [value, ...held, pathname, search, ...searchParams.values()] : held;
}

export function findUnknownVariables(env: Environment): string[] {
  const ours = /^MAGPIE_(?!TEST_|BENCH_)(.*)/s;
  const settings = ['MAGPIE_CONFIG', ...Object.values(SETTINGS).map((setting) => setting.env)];
  const known = settings.flatMap((name) => ours.exec(name)?.[1] ?? []);
  return Object.keys(env).flatMap((name) => {
    const own = ours.exec(name)?.[1];
    if (own === undefined || known.includes(own)) return [];
    return [`${name} is not a setting and changes nothing${didYouMean(own, known, 'MAGPIE_')}`];
  });
}

export const isDumbTerminal = (env: Environment): boolean => env.TERM === 'dumb';

export const isStartedByNpm = (env: Environment): boolean =>
  env.npm_lifecycle_event !== undefined && env.npm_package_name === 'magpie-mcp';

/** Parses a value that `where` names in the error. Throws AppError `bad_request` if it is invalid. */
export function parseSetting(
  where: string,
  raw: unknown,
  setting: {
    readonly schema: z.ZodType;
    readonly takes: string;
    readonly secret?: true;
    readonly holdsPassword?: true;
  },
): unknown {
  const result = setting.schema.safeParse(typeof raw === 'string' ? decode(raw, setting.schema) : raw);
  if (result.success) return result.data;
  const isHidden = setting.secret ?? setting.holdsPassword;
  const value = isHidden ? 'not usable' : redactSecrets(JSON.stringify(raw));
  throw badRequestError(`${where} is ${value}: it takes ${setting.takes}`);
}

function decode(raw: string, schema: z.ZodType): unknown {
  const type = (z.toJSONSchema(schema, { io: 'input' }) as { type?: string }).type;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw;
  if (type === 'boolean') {
    if (/^(true|1|yes|on)$/i.test(raw)) return true;
    return /^(false|0|no|off)$/i.test(raw) ? false : raw;
  }
  if (type === 'array') {
    return raw
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }
  return raw;
}

function readSettingsFile(flags: Flags, env: Environment): { path: string; values: Record<string, unknown> } {
  const named = expandHome(flags.config ?? env.MAGPIE_CONFIG, env);
  const data = expandHome(flags.data ?? (env.MAGPIE_DATA || defaultDataFolder(env)), env);
  const path = typeof named === 'string' && named ? named : join(String(data), 'settings.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (named === undefined && /^ENO(ENT|TDIR)$/.test((cause as NodeJS.ErrnoException).code ?? ''))
      return { path, values: {} };
    if (named === undefined && !canBeEntered(String(data)))
      throw badRequestError(
        `the data folder ${data} cannot be read: give yourself the right to, or set MAGPIE_DATA to another`,
      );
    throw badRequestError(`the settings file ${path} cannot be read: ${describeFileError(cause)}`);
  }
  const values = parseJsonObject(path, text);
  for (const name of Object.keys(values)) {
    if (!(name in SETTINGS)) {
      throw badRequestError(
        `${path} has an unknown setting ${JSON.stringify(name)}${didYouMean(name, Object.keys(SETTINGS))}; magpie help settings lists all`,
      );
    }
  }
  return { path, values };
}

function canBeEntered(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function parseJsonObject(path: string, text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    // Shows the position only. The parser's message would quote text that may contain a key.
    const [place = ''] = / at position .*/.exec((cause as Error).message) ?? [];
    const why =
      cause instanceof SyntaxError ? `it is not JSON${place}` : 'it holds something other than a JSON object';
    throw badRequestError(`the settings file ${path} is not usable: ${why}`);
  }
}

const homeFolder = (env: Environment): string => env.HOME || homedir();

/** Replaces `~` at the beginning of a path, as a shell does. The settings of a client pass through no shell. */
function expandHome(value: unknown, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => expandHome(one, env));
  if (typeof value !== 'string') return value;
  return value.replace(/(^|,\s{0,9}|^file:)~(?=$|[/\\,])/g, (_path, before) => before + homeFolder(env));
}

function defaultDataFolder(env: Environment): string {
  const home = homeFolder(env);
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'magpie');
  if (process.platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'magpie');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'magpie');
}
