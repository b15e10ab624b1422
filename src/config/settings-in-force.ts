import { createSecretMask } from '../lib/secrets/known-secrets.ts';
import { redactSecrets } from '../lib/secrets/redact.ts';
import { type Config, flagOf, getSettingOrigins, secretsOf } from './config.ts';
import type { Setting, SettingOrigin } from './setting.ts';
import { SETTINGS } from './settings.ts';

export interface SettingInForce {
  readonly name: string;
  readonly env: string;
  readonly flag: string;
  readonly about: string;
  /** The value as text, '' if there is none. For a secret, only a note that it is set. */
  readonly value: string;
  readonly origin: SettingOrigin;
}

export function settingsInForce(config: Config): SettingInForce[] {
  const origins = getSettingOrigins(config);
  const masked = createSecretMask(secretsOf(config));
  const values: Readonly<Record<string, unknown>> = config;
  return Object.entries(SETTINGS).map(([name, setting]: [string, Setting]) => ({
    name,
    env: setting.env,
    flag: flagOf(name),
    about: setting.about,
    value: textOf(values[name], setting, (text) => masked(redactSecrets(text))),
    origin: origins[name] ?? 'default',
  }));
}

function textOf(value: unknown, { secret }: Setting, masked: (text: string) => string): string {
  const items = [value].flat().filter((item) => item !== undefined && item !== '');
  if (items.length === 0) return '';
  return secret ? 'set, and not shown' : masked(items.map(String).join(', '));
}
