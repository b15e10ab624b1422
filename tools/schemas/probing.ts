import { z } from 'zod';
import type { GivenProbing } from '../../src/monitor/types.ts';

/** Options of a monitor that say what one probe decides: beyond the contract's, and left out of the tools' list. */

const texts = z
  .union([z.array(z.string().min(1).max(500)).max(20), z.string().min(1).max(500)])
  .transform((given) => (typeof given === 'string' ? [given] : given));

const expect = z
  .object({
    status: z
      .string()
      .max(300)
      .meta({ description: 'Codes and ranges; default 200-299', examples: ['200-299, 401'] })
      .optional(),
    contains: texts.optional(),
    lacks: texts.optional(),
    json: texts
      .meta({ description: 'Each a path, and a comparison', examples: ['$.state == "ok"'] })
      .optional(),
    response_ms: z.number().min(1).max(60_000).optional(),
  })
  .describe('What the answer has to be; an empty object takes all of it away');

export const probingOptions = { expect: expect.optional() };

const given = z.object(probingOptions);

/** As the room takes them. */
export function probingOf({ expect }: z.output<typeof given>): GivenProbing {
  if (!expect) return {};
  const { response_ms: responseMs, ...rest } = expect;
  const isNone = Object.values(expect).every((value) => value === undefined);
  return { expect: isNone ? null : { ...rest, responseMs } };
}

/** Options of a status. */
export const probingAnswer = {
  expect: z
    .object({
      status: z.string().optional(),
      contains: z.array(z.string()).optional(),
      lacks: z.array(z.string()).optional(),
      json: z.array(z.string()).optional(),
      response_ms: z.number().optional(),
    })
    .optional(),
};

/** Names of these options as an operation's `unlisted` has them. */
export const UNLISTED_PROBING = Object.keys(probingOptions).map((name) => `monitoring_options.${name}`);
