import { z } from 'zod';

const words = z.array(z.string().trim().min(1).max(100)).min(1).max(10);

/** What is taken from a page, and when to notify: the same for automations and for Magpie's own watches. */
export const pageWatchFields = z.object({
  when: z
    .object({
      is: z.enum([
        ...(['every_run', 'change', 'new_items', 'appears', 'disappears', 'below', 'above'] as const),
        ...(['falls', 'rises', 'moves', 'in_stock', 'out_of_stock'] as const),
      ]),
      words: words.optional(),
      without: words.optional(),
      value: z.number().min(-1e15).max(1e15).optional(),
      percent: z.boolean().optional(),
      currency: z.string().min(1).max(3).optional().describe('If value is a price: EUR'),
      of: z.string().min(1).max(100).optional().describe('Word beside the number'),
    })
    .optional()
    .describe('When to notify'),
  extract: z
    .object({
      what: z.enum(['text', 'links', 'headings', 'title', 'items', 'price', 'prices']).optional(),
      selector: z.string().min(1).max(200).optional(),
      product: z.string().min(1).max(100).optional(),
    })
    .optional(),
});
