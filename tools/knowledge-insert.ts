import { z } from 'zod';
import type { Context } from '../src/operation.ts';
import { tags } from './schemas/knowledge.ts';

/** What the upsert family shares: keep a text, once. */

export const newText = {
  q: z.string().regex(/\S/).describe('The text to keep'),
  title: z.string().trim().min(1).max(500).optional(),
  source: z.string().trim().min(1).max(2000).optional().describe('Where it is from, such as a URL'),
  tags: tags.optional(),
  id: z.string().trim().min(1).max(500).optional().describe('Entry whose text this replaces'),
};

/** The contract's status body, and what was kept under which id. */
export const keptBody = z.object({
  status: z.object({ status: z.string() }),
  id: z.string(),
  passages: z.int().optional(),
});

export interface NewText {
  readonly q: string;
  readonly title?: string | undefined;
  readonly source?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly id?: string | undefined;
}

/** Keeps a text, or with `id` changes an entry. It is on disk when this resolves. */
export async function keep(
  { q, title, source, tags: labels, id }: NewText,
  { services, caller, signal }: Context,
): Promise<z.input<typeof keptBody>> {
  const knowledge = await services.knowledge();
  const entry = {
    text: q,
    title,
    source,
    tags: labels,
  };
  if (id !== undefined) {
    await knowledge.updateEntry(caller.id, id, entry, signal);
    return { status: { status: `Changed ${id} in the knowledge base.` }, id };
  }
  const { id: own, known, passages } = await knowledge.insertEntry(caller.id, entry, signal);
  const how = passages === 1 ? '' : `, in ${passages} passages`;
  const status = known
    ? `The knowledge base has this text already, as ${own}.`
    : `Kept in the knowledge base as ${own}${how}.`;
  return { status: { status }, id: own, passages };
}
