import { createSecretMask } from '../lib/secrets/known-secrets.ts';
import { redactSecrets } from '../lib/secrets/redact.ts';
import { type Config, flagOf, originsOf, secretsOf } from './config.ts';
import type { Origin, Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** A setting as it is in force. */
export interface SettingInForce {
  readonly name: string;
  readonly env: string;
  /** Without the hyphens. */
  readonly flag: string;
  readonly about: string;
  /** As text; '' where nothing is set, and a word in place of a secret. */
  readonly value: string;
  readonly origin: Origin;
}

/** Every setting with its value and where it comes from; no secret is in it. */
export function settingsInForce(config: Config): SettingInForce[] {
  const origins = originsOf(config);
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
