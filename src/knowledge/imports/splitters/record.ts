import { asTrimmedText, type ImportFields } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

export const PROGRAM_DETAIL = 'an id, a color or another detail of the program';

/** Yields a record, and counts the fields that are left out because they describe the program. */
export function* recordOf(record: ImportFields, details: ImportFields): Generator<FoundRecord> {
  const count = Object.values(details).filter(isFilled).length;
  yield { record: Object.fromEntries(Object.entries(record).filter(([, value]) => isFilled(value))) };
  if (count > 0) yield { skipped: PROGRAM_DETAIL, count };
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || asTrimmedText(value) !== undefined;
}

/** Writes a name and an address as `name: address`, and equal ones once. */
export function nameAndAddress({ name, href, url = href }: ImportFields): string {
  return [...new Set([name, url].flatMap((part) => asTrimmedText(part) ?? []))].join(': ');
}
