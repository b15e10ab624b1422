import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import type { RestoreTarget, TrashList } from '../../knowledge/types.ts';
import { escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { isoTime } from '../../lib/time/microseconds.ts';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag } from '../flags.ts';

const SHOWN = 100;
const SHOWN_CHARS = 60;

export const showTrash = documentedCommand('kb trash', {
  flags: {
    empty: booleanFlag,
    collection: z.string().optional(),
    before: z
      .string()
      .regex(/^\d{1,16}$/)
      .optional(),
  },
  effect: ({ empty }) => (empty ? 'destroy' : 'read'),
  async question({ empty, collection }, ctx) {
    if (!empty) return undefined;
    const { records } = await (await ctx.services.knowledge()).listTrash(ctx.caller.id, 1, collection);
    return records === 0
      ? undefined
      : `Delete ${entries(records)} of the trash for good? Nothing brings ${records === 1 ? 'it' : 'them'} back.`;
  },
  async run({ empty, collection, before }, ctx) {
    const knowledge = await ctx.services.knowledge();
    if (!empty) {
      await printTrash(await knowledge.listTrash(ctx.caller.id, SHOWN + 1, collection, before), ctx);
      return 'done';
    }
    const removed = await knowledge.emptyTrash(ctx.caller.id, ctx.signal, collection);
    const stopped = ctx.signal.aborted ? ', and was stopped: the rest is still there' : '';
    await ctx.print(
      ctx.json ? JSON.stringify({ removed }) : `Deleted ${entries(removed)} of the trash for good${stopped}.`,
    );
    return ctx.signal.aborted ? 'stopped' : 'done';
  },
});

async function printTrash(list: TrashList, { print, json }: CommandContext): Promise<void> {
  const { batches, records, bytes, days } = list;
  const rows = batches
    .slice(0, SHOWN)
    .map(({ id, removedAt, until, records: count, bytes: size, entry, text, versionOf }) => {
      return {
        id,
        removedAt: isoTime(removedAt),
        until: isoTime(until),
        entries: count,
        bytes: size,
        entry,
        text,
        ...(versionOf !== undefined && { replacedIn: versionOf }),
      };
    });
  const next = batches.length > SHOWN ? rows.at(-1)?.id : undefined;
  if (json) return print(JSON.stringify({ entries: records, bytes, days, trash: rows, next }));
  if (rows.length === 0) {
    if (records > 0) return print('The trash has no earlier deletions.');
    return print(
      days === 0
        ? 'The trash is off (MAGPIE_TRASH_DAYS is 0): what is deleted is gone.'
        : 'The trash is empty.',
    );
  }
  for (const { id, removedAt, until, entries: count, text, entry, replacedIn } of rows) {
    const first = escapeInvisibleLine(text).slice(0, SHOWN_CHARS);
    const one = replacedIn === undefined ? entry : `the text before of ${replacedIn}`;
    const what = count === 1 ? `${one}: ${first}` : `${entries(count)}, the first: ${first}`;
    const gone = replacedIn === undefined ? 'deleted' : 'replaced';
    await print(`${id}  ${gone} ${minute(removedAt)}, until ${minute(until)}  ${what}`);
  }
  if (next !== undefined) await print(`magpie kb trash --before ${next} shows the next ${SHOWN}.`, 'hint');
  await print(
    `${entries(records)}, ${formatCount(bytes, 'byte')} of text. magpie kb restore <id> brings back one deletion, magpie kb restore --all everything.`,
    'hint',
  );
}

const minute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

export const restoreEntries = documentedCommand('kb restore', {
  words: ['id'],
  flags: {
    id: z.string().min(1).default('latest'),
    all: booleanFlag,
    collection: z.string().optional(),
  },
  effect: () => 'write',
  async run({ id, all, collection }, ctx) {
    const knowledge = await ctx.services.knowledge();
    const which = all ? 'all' : whichOf(id);
    const { records, known, unkeyed } = await knowledge.restoreEntries(ctx.caller.id, which, collection);
    await knowledge.waitForVectors(Number.POSITIVE_INFINITY, ctx.signal, (done) =>
      ctx.progress(
        `${entries(records)} restored, ${done} passages embedded; Ctrl-C leaves the rest for later`,
      ),
    );
    if (ctx.json) await ctx.print(JSON.stringify({ restored: records, known, unkeyed }));
    else await ctx.print(sentence(records, known, unkeyed));
    return records + known === 0 ? 'failed' : 'done';
  },
});

function whichOf(id: string): RestoreTarget {
  if (id === 'latest') return id;
  return /^\d+$/.test(id) ? { batch: id } : { entry: id };
}

function sentence(records: number, known: number, unkeyed = 0): string {
  if (records + known === 0) {
    return 'Nothing was restored: it is kept already, or no longer in the trash; magpie kb trash shows what is.';
  }
  const bare = unkeyed > 0 ? `, ${unkeyed} without a key, since another entry has it by now` : '';
  const besides = known > 0 ? `; ${entries(known)} not, since the same text is kept by now` : '';
  return `Restored ${entries(records)}${bare}${besides}.`;
}

const entries = (count: number): string => formatCount(count, 'entry', 'entries');
