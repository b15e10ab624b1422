import { asObject, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

const BYTES = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Repairs JSON of Facebook and Instagram, in which each byte of a text in UTF-8 is a letter. */
export const repairLetters = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(BYTES, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8')));

export function* splitEscapedBytes(file: unknown): Generator<FoundRecord> {
  const list = Array.isArray(file) ? file : Object.values(asObject(file)).flatMap(toListOrEmpty);
  for (const record of toListOrEmpty(repairLetters(list))) yield { record: asObject(record) };
}
