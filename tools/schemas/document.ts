import { z } from 'zod';
import { citation } from '../../src/flows/connector/citation.ts';
import { warnings } from '../../src/flows/searching/search-body.ts';
import { listedObject, optional } from '../../src/operation.ts';
import { isWeakMatchField } from './knowledge.ts';

const match = listedObject(['metadata'], {
  id: z.string(),
  metadata: listedObject(['text', 'fileName', 'url', 'page', 'part', 'parts'], {
    text: z.string(),
    fileName: z.string(),
    url: optional(z.string(), 'Where the file is read, for a day'),
    title: z.string().optional(),
    kind: optional(z.string(), 'Such as docx; a PDF has none'),
    collection: optional(z.string(), 'Left out for the default one'),
    page: z.int().optional(),
    pages: z.int().optional(),
    part: z.int().optional(),
    parts: z.int(),
    bytes: z.int().optional(),
    uploadedAt: z.string().optional(),
    citation: citation.optional(),
  }),
  score: z.number().min(0).max(1),
  weak: isWeakMatchField,
  warnings,
  sparseValues: z.record(z.string(), z.number()),
  values: z.array(z.number()),
});

export const documentMatches = z.object({ matches: z.array(match) });

export type DocumentMatches = z.output<typeof documentMatches>;

/** Fields that the API contract requires. They are empty, because vectors are not sent. */
export const EMPTY_VECTOR_FIELDS = { sparseValues: {}, values: [] };
