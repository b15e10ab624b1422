import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import type { DuplicateGroup } from '../../knowledge/types.ts';
import { escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { isoTime } from '../../lib/time/microseconds.ts';
import { documentedCommand } from '../documented-command.ts';

const SHOWN_CHARS = 70;

export const showDuplicates = documentedCommand('kb duplicates', {
  flags: {
    collection: z.string().optional(),
    limit: z.int().min(1).max(10_000).default(50),
  },
  effect: () => 'read',
  async run({ collection, limit }, ctx) {
    const { caller, signal, progress, print, json } = ctx;
    const knowledge = await ctx.services.knowledge();
    const { compared, groups } = await knowledge.findDuplicates(caller.id, { collection, signal, progress });
    const shown = groups.slice(0, limit);
    if (json) {
      const rows = shown.map(({ score, entries }) => ({
        score,
        entries: entries.map((one) => ({
          ...one,
          key: one.key || undefined,
          createdAt: isoTime(one.createdAt),
        })),
      }));
      await print(JSON.stringify({ compared, groups: groups.length, duplicates: rows }));
      return signal.aborted ? 'stopped' : 'done';
    }
    for (const group of shown) await printGroup(group, ctx);
    const none =
      groups.length === 0
        ? 'none are nearly the same'
        : `${formatCount(groups.length, 'group')} nearly the same`;
    await print(`${formatCount(compared, 'entry', 'entries')} compared: ${none}.`, 'hint');
    return signal.aborted ? 'stopped' : 'done';
  },
});

async function printGroup({ score, entries }: DuplicateGroup, { print }: CommandContext): Promise<void> {
  await print(`${Math.round(score * 100)}% alike:`);
  for (const { id, title, text, key, createdAt } of entries) {
    const words = escapeInvisibleLine(title ? `${title}: ${text}` : text).slice(0, SHOWN_CHARS);
    await print(
      `  ${id}  ${isoTime(createdAt).slice(0, 10)}${key === '' ? '' : `  [${escapeInvisibleLine(key)}]`}  ${words}`,
    );
  }
  await print(`  magpie kb merge ${entries.map(({ id }) => id).join(' ')}`, 'hint');
}

export const mergeEntries = documentedCommand('kb merge', {
  words: ['ids'],
  flags: {
    ids: z.array(z.string().min(1)).min(2).max(1000),
  },
  effect: () => 'write',
  async run({ ids }, { services, caller, signal, json, print }) {
    const knowledge = await services.knowledge();
    const { entry, removed, left } = await knowledge.mergeEntries(caller.id, ids, signal);
    const { records, trash } = removed;
    if (json) {
      const { id, tags } = entry;
      return print(
        JSON.stringify({
          id,
          tags,
          merged: records,
          ...(left.length > 0 && { left }),
          trash: trash && { id: trash.id, until: isoTime(trash.until) },
        }),
      );
    }
    const undo = trash
      ? ` Until ${isoTime(trash.until)} this can be undone: magpie kb restore ${trash.id}.`
      : '';
    await print(`Merged ${formatCount(records, 'entry', 'entries')} into ${entry.id}.${undo}`);
    for (const source of left) await print(`  no tag can be ${escapeInvisibleLine(source)}`, 'warning');
  },
});
