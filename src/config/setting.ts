import { z } from 'zod';

/** One setting: where it is read from, what it takes, and its line in the generated reference. */
export interface Setting {
  readonly env: string;
  readonly schema: z.ZodType;
  /** What it takes, in the words of the error. */
  readonly takes: string;
  readonly about: string;
  /** A value that no message may show. */
  readonly secret?: true;
  /** A value that has a password within: no message shows one that cannot be used, since the password may be anywhere in it. */
  readonly holdsPassword?: true;
}

/** Where a value comes from. */
export type Origin = 'default' | 'file' | 'environment' | 'flag';

/** A whole number within bounds. */
export const whole = (least: number, most: number, fallback: number) => ({
  schema: z.int().min(least).max(most).default(fallback),
  takes: `a whole number from ${least} to ${most}`,
});

/** Words, none by default. */
export const list = (takes: string) => ({ schema: z.array(z.string()).default([]), takes });

/** A key of some service, which no message shows. */
export const secret = {
  schema: z.string().trim().min(1).max(500).optional(),
  takes: 'the key, as the service shows it',
  secret: true as const,
};

/** Base address of a service, without a slash at its end. */
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''));
