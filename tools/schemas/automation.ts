import { z } from 'zod';
import { optional } from '../../src/operation.ts';

const address = z.url({ protocol: /^https?$/ }).max(2000);
const words = z.array(z.string().trim().min(1).max(100)).min(1).max(10);
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
  when: optional(
    z.object({
      is: z.enum([
        ...(['every_run', 'change', 'new_items', 'appears', 'disappears', 'below', 'above'] as const),
        ...(['falls', 'rises', 'moves', 'in_stock', 'out_of_stock'] as const),
      ]),
      words: words.optional(),
      without: words.optional(),
      value: z.number().min(-1e15).max(1e15).optional(),
      percent: z.boolean().optional(),
      currency: optional(z.string().min(1).max(3), 'If value is a price: EUR'),
      of: optional(z.string().min(1).max(100), 'Word beside the number'),
    }),
    'When to notify',
  ),
  extract: z
    .object({
      what: z.enum(['text', 'links', 'headings', 'title', 'items', 'price', 'prices']).optional(),
      selector: z.string().min(1).max(200).optional(),
      product: z.string().min(1).max(100).optional(),
    })
    .optional(),
  notify: z
    .object({
      email: z.email().max(254).optional(),
      webhook: address.optional(),
      knowledgeBase: z.boolean().optional(),
    })
    .optional(),
};
