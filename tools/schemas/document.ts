import { z } from 'zod';
import { citation } from '../../src/flows/connector/citation.ts';
import { listedFields } from '../../src/operation.ts';
import { isWeakMatchField } from './knowledge.ts';

const match = z
  .object({
    id: z.string(),
    metadata: z
      .object({
        text: z.string(),
        fileName: z.string(),
        url: z.string().describe('Where the file is read, for a day').optional(),
        title: z.string().optional(),
        kind: z.string().describe('Such as docx; a PDF has none').optional(),
        collection: z.string().describe('Left out for the default one').optional(),
        page: z.int().optional(),
        pages: z.int().optional(),
        part: z.int().optional(),
        parts: z.int(),
        bytes: z.int().optional(),
        uploadedAt: z.string().optional(),
        citation: citation.optional(),
      })
      .register(listedFields, { fields: ['text', 'fileName', 'url', 'page', 'part', 'parts'] }),
    score: z.number().min(0).max(1),
    weak: isWeakMatchField,
    sparseValues: z.record(z.string(), z.number()),
    values: z.array(z.number()),
  })
  .register(listedFields, { fields: ['metadata'] });

export const documentMatches = z.object({ matches: z.array(match) });

export type DocumentMatches = z.output<typeof documentMatches>;

/** Fields that the API contract requires. They are empty, because vectors are not sent. */
export const EMPTY_VECTOR_FIELDS = { sparseValues: {}, values: [] };
