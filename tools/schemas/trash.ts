import { z } from 'zod';
import type { RemovalResult, ReplacedTextFate, RestoreTarget } from '../../src/knowledge/types.ts';
import { formatCount } from '../../src/lib/text/format-count.ts';
import { isoTime } from '../../src/lib/time/microseconds.ts';
import { type AnswerReaderKind, listedObject, type OperationContext, optional } from '../../src/operation.ts';
import { statusBody } from './status.ts';

export const permanentRemoval = optional(z.boolean(), 'true deletes at once, without undo. Default false');

export const removedBody = listedObject(['status'], {
  ...statusBody.shape,
  deleted: z.int(),
  trash: optional(
    z.object({ id: z.string(), until: z.string() }),
    'What restore takes to undo this, and until when',
  ),
  restored: z.int().optional(),
});

export type RemovedBody = z.output<typeof removedBody>;

const NAMED = 5;

export function removedAnswer(
  done: string,
  { records, trash, dropped }: RemovalResult,
  undo: (id: string) => string,
): RemovedBody {
  const until = trash && isoTime(trash.until);
  const sentences = [
    done,
    trash && `Until ${until} this can be undone: ${undo(trash.id)}.`,
    dropped > 0 && trash && `${older(dropped)} gone for good: the trash was full.`,
    dropped > 0 && !trash && `${formatCount(dropped, 'entry', 'entries')} of the trash went with it.`,
  ];
  return {
    status: { status: sentences.filter(Boolean).join(' ') },
    deleted: records,
    trash: trash && until ? { id: trash.id, until } : undefined,
  };
}

export function renderRemoved({ status, trash }: RemovedBody, reader: AnswerReaderKind): string {
  if (!trash || reader === 'model') return status.status;
  return status.status.replace(/(?<=can be undone: )[^.]*/, `magpie kb restore ${trash.id}`);
}

const older = (count: number): string =>
  count === 1 ? '1 entry that was deleted earlier is' : `${count} entries that were deleted earlier are`;

export async function restoreFromTrash(
  which: RestoreTarget,
  { services, caller }: Pick<OperationContext, 'services' | 'caller'>,
  collection?: string,
): Promise<RemovedBody> {
  const knowledge = await services.knowledge();
  const { records, known, unkeyed = 0 } = await knowledge.restoreEntries(caller.id, which, collection);
  const sentences = [
    records > 0 && `Restored ${formatCount(records, 'entry', 'entries')}.`,
    unkeyed > 0 &&
      `${formatCount(unkeyed, 'entry', 'entries')} without a key, which another entry has by now.`,
    known > 0 && `${formatCount(known, 'entry', 'entries')} not: the same text is kept by now.`,
    records + known === 0 && 'Nothing was restored: it is kept already, or no longer in the trash.',
  ];
  if (records + known === 0) {
    const { batches } = await knowledge.listTrash(caller.id, NAMED, collection);
    const named = batches.map(
      ({ id, records: count, removedAt }) =>
        `${id} (${formatCount(count, 'entry', 'entries')}, deleted ${isoTime(removedAt)})`,
    );
    if (named.length > 0) sentences.push(`In the trash, newest first: ${named.join(', ')}.`);
  }
  return { status: { status: sentences.filter(Boolean).join(' ') }, deleted: 0, restored: records };
}

export const restoredNothing = ({ restored }: RemovedBody): boolean => restored === 0;

export function describeRestore(
  replaced: ReplacedTextFate | undefined,
  { offers }: Pick<OperationContext, 'offers'>,
): string {
  return replaced === 'trash' && offers('deleteEntry')
    ? ' deleteEntry with this id and restore true brings back the text before.'
    : '';
}
