import { z } from 'zod';

export interface Setting {
  readonly env: string;
  readonly schema: z.ZodType;
  readonly takes: string;
  readonly about: string;
  readonly secret?: true;
  /** True if the value contains a password, which error messages must not show. */
  readonly holdsPassword?: true;
}

export type SettingOrigin = 'default' | 'file' | 'environment' | 'flag';

export const wholeNumberSetting = (env: string, least: number, most: number, fallback: number) => ({
  env,
  schema: z.int().min(least).max(most).default(fallback),
  takes: `a whole number from ${least} to ${most}`,
});

export const switchSetting = (env: string, fallback: boolean) => ({
  env,
  schema: z.boolean().default(fallback),
  takes: 'true or false',
});

export const listSetting = (env: string, takes: string) => ({
  env,
  schema: z.array(z.string()).default([]),
  takes,
});

/** A list of some of the names given. */
export const namesSetting = <const Name extends string>(env: string, names: readonly Name[]) => ({
  env,
  schema: z.array(z.enum(names)).default([]),
  takes: `names out of ${names.join(', ')}, separated by commas`,
});

export const secretSetting = (env: string) => ({
  env,
  schema: z.string().trim().min(1).max(500).optional(),
  takes: 'the key, as the service shows it',
  secret: true as const,
});

/** Base URL of a service, without a slash at the end. */
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''));
const takes = 'an http or https URL';

export const urlSetting = (env: string, fallback: string) => ({
  env,
  schema: httpUrl.default(fallback),
  takes,
});
export const optionalUrlSetting = (env: string) => ({ env, schema: httpUrl.optional(), takes });
