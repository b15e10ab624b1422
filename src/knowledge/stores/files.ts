import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { EntryStore } from '../store.ts';
import { ensureOwner, findOwner, lockOwner } from './entries/owners.ts';
import { createRemovalSteps } from './entries/removal-steps.ts';
import { type EntryRow, HIDDEN_FILE_NAMES, REMOVED_FILE_NAME } from './entries/rows.ts';
import {
  abandonParts,
  hideParts,
  indexPart,
  insertPart,
  REMOVED_AT_ONCE,
  removeSomeHidden,
  renamePart,
  showParts,
} from './file-parts.ts';
import type { StoreParts } from './parts.ts';

const ABANDONED_US = 3_600_000_000;

/** Creates the storage of uploaded files. One transaction replaces the earlier file once the last part is stored. */
export function createFiles(parts: StoreParts) {
  const { db, changes, now } = parts;

  const removeHidden = async (owner: number, signal?: AbortSignal) => {
    const inSteps = createRemovalSteps(db, REMOVED_AT_ONCE);
    let removed = false;
    while (
      !signal?.aborted &&
      (await inSteps(function* (sql, most) {
        yield* lockOwner(sql, owner);
        return yield* removeSomeHidden(sql, owner, most);
      }))
    ) {
      removed = true;
      await setImmediate();
    }
    if (removed) await db.releaseFreePages();
  };

  return {
    async putFile(name, file, passages) {
      if (HIDDEN_FILE_NAMES.includes(file.name)) {
        throw new AppError('bad_request', 'the name of the file is empty: it takes one');
      }
      const { id: owner } = await db.write((sql) => ensureOwner(sql, name));
      const added: EntryRow[] = [];
      let count = 0;
      try {
        for await (const some of passages) {
          if (some.length === 0) continue;
          const place = { owner, ...file, ordinal: count };
          const indexed = indexPart(some);
          added.push(await db.write((sql) => insertPart(parts, sql, place, indexed)));
          count += some.length;
        }
        await db.write(function* (sql) {
          yield* lockOwner(sql, owner);
          yield* hideParts(sql, owner, file.name);
          yield* showParts(sql, added, file.name);
          yield* changes.recordChanges(sql, owner, [`doc://${file.name}`]);
        });
      } catch (error) {
        await db.remove(function* (sql) {
          for (const part of added) yield* renamePart(sql, part, REMOVED_FILE_NAME);
        });
        await removeHidden(owner);
        throw error;
      }
      await removeHidden(owner);
      return count;
    },

    async removeFile(name, file) {
      const removed = await db.remove(function* (sql) {
        yield* lockOwner(sql, name);
        const owner = HIDDEN_FILE_NAMES.includes(file) ? undefined : (yield* findOwner(sql, name))?.id;
        if (owner === undefined) return undefined;
        const count = yield* hideParts(sql, owner, file);
        if (count > 0) yield* changes.recordChanges(sql, owner, [`doc://${file}`]);
        return { owner, count };
      });
      if (!removed) return 0;
      await removeHidden(removed.owner);
      return removed.count;
    },

    async removeAbandoned(signal: AbortSignal) {
      const owners = await db.remove((sql) => abandonParts(sql, now() - ABANDONED_US));
      for (const owner of owners) await removeHidden(owner, signal);
    },
  } satisfies Partial<EntryStore> & { removeAbandoned: unknown };
}
