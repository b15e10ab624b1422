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

export const wholeNumberSetting = (least: number, most: number, fallback: number) => ({
  schema: z.int().min(least).max(most).default(fallback),
  takes: `a whole number from ${least} to ${most}`,
});

export const listSetting = (takes: string) => ({ schema: z.array(z.string()).default([]), takes });

export const secretSetting = {
  schema: z.string().trim().min(1).max(500).optional(),
  takes: 'the key, as the service shows it',
  secret: true as const,
};

/** Base URL of a service, without a slash at the end. */
export const httpUrlSchema = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));
