import { createHash } from 'node:crypto';
import type { ImportedEntry } from './import-kind.ts';

/**
 * Returns a function that appends a number such as `#2` to a record's key, if an earlier record of the import
 * has the same key and time but another text. Otherwise, the later text would replace the earlier one.
 */
export function createKeyNumberer() {
  const twins = new Map<string, Map<string, string>>();
  /** Keys of the import so far. The value is true if the key got a number such as `#2`. */
  const keys = new Map<string, boolean>();
  return <Entry extends ImportedEntry>(record: Entry): Entry => {
    const { id, key, collection = '', text, title = '', createdAt, updatedAt = createdAt } = record;
    if (key === undefined || id !== undefined) return record;
    const placed = (name: string) => JSON.stringify([collection, name]);
    const digest = createHash('sha256').update(`${title}\n${text}`).digest('base64');
    const group = `${placed(key)} ${updatedAt}`;
    const known = twins.get(group) ?? new Map<string, string>();
    twins.set(group, known);
    let own = known.get(digest);
    if (own === undefined) {
      own = key;
      let number = Math.max(known.size, 1);
      const isOthers = known.size > 0 || keys.get(placed(key)) === true;
      if (isOthers) while (keys.has(placed(own))) own = `${key}#${++number}`;
      keys.set(placed(own), isOthers);
      known.set(digest, own);
    }
    return own === key ? record : { ...record, key: own };
  };
}
