import { z } from 'zod';
import type { Citation } from '../../src/flows/connector/citation.ts';

export const citation = z.object({
  entry: z.string().describe('Id of the entry').optional(),
  fileName: z.string().optional(),
  page: z.int().describe('Of the file, from 1').optional(),
  passage: z.int().describe('Place among the passages of the entry or file, from 1'),
  start: z
    .int()
    .describe("Characters (Unicode code points) of the entry's text, or of the page's: from, from 0")
    .optional(),
  end: z.int().describe('The same: up to').optional(),
  link: z
    .string()
    .describe(
      'Opens the page with the passage marked, for a day, where pages are served; else the MCP resource of the entry or part',
    ),
}) satisfies z.ZodType<Citation>;
