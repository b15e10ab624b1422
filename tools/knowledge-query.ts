import { z } from 'zod';
import type { Context } from '../src/operation.ts';
import { type MatchesBody, matchItem, PENDING, tags } from './schemas/knowledge.ts';

/** What the query family shares: the nearest texts. */

const moment = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?$/)
    .refine((text) => !Number.isNaN(Date.parse(text)))
    .optional()
    .describe(what)
    .meta({ examples: ['2026-01-31', '2026-01-31T09:30:00Z'] });

export const question = {
  q: z.string().trim().min(1).max(20_000).describe('What to find'),
  topK: z.int().min(1).max(100).optional().describe('Matches, 10 when left out'),
  tags: tags.optional().describe('Only entries with all of these'),
  source: z.string().trim().min(1).max(2000).optional().describe('Only from here; a prefix ends in *'),
  since: moment('Only kept at or after'),
  until: moment('Only kept before'),
  recency: z.number().min(0.01).max(36_500).optional().describe('Days after which a text counts half'),
  neighbours: z.int().min(0).max(10).optional().describe('Passages around each match'),
  includeValues: z.boolean().optional().describe('With vectors'),
};

export interface Question {
  readonly q: string;
  readonly topK?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly source?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly recency?: number | undefined;
  readonly neighbours?: number | undefined;
  readonly includeValues?: boolean | undefined;
}

export async function ask(question: Question, { services, caller, signal }: Context): Promise<MatchesBody> {
  const { q, topK, tags: labels, source, since, until, recency, neighbours, includeValues } = question;
  const knowledge = await services.knowledge();
  const filter = {
    tags: labels,
    source: source || undefined,
    since: since ? microseconds(since) : undefined,
    until: until ? microseconds(until) : undefined,
  };
  const matches = knowledge.findPassages(
    caller.id,
    q,
    {
      filter,
      topK,
      recency,
      neighbours,
      includeValues,
    },
    signal,
  );
  // Told by the way: where it cannot be counted, the answer is as good.
  const waiting = knowledge.countPending(caller.id, PENDING).catch(() => 0);
  const [found, pending] = await Promise.all([matches, waiting]);
  return {
    matches: found.map((match) => matchItem(match, caller.id)),
    pending: pending > 0 ? pending : undefined,
  };
}

/** A time without a zone is in UTC, as a date is. */
function microseconds(text: string): number {
  const zoned = /\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  return Date.parse(zoned) * 1000;
}
