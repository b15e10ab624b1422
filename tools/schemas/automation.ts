import { z } from 'zod';
import { pageWatchFields } from '../../src/lib/watching/page-watch-fields.ts';
import { optional } from '../../src/operation.ts';

const address = z.url({ protocol: /^https?$/ }).max(2000);
const clock = z
  .string()
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/)
  .meta({ examples: ['09:00'] });

/** Parts of a task by name. A part that is given is used instead of what `q` says of it. */
export const taskFields = {
  pages: z.array(address).min(1).max(10).optional(),
  schedule: z
    .object({
      everyMinutes: z.int().min(1).max(43_200).optional(),
      at: optional(z.array(clock).min(1).max(24), '09:00'),
      days: z
        .array(z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']))
        .min(1)
        .max(7)
        .optional(),
      dayOfMonth: z.int().min(1).max(31).optional(),
      timeZone: z.string().max(60).optional(),
    })
    .optional(),
  ...pageWatchFields.shape,
  notify: z
    .object({
      email: z.email().max(254).optional(),
      webhook: address.optional(),
      knowledgeBase: z.boolean().optional(),
    })
    .optional(),
};
