import { asObject, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Makes records of JSON of Facebook and Instagram, in which each byte of a text in UTF-8 is a letter. */
export function* splitEscapedBytes(file: unknown): Generator<FoundRecord> {
  const list = Array.isArray(file) ? file : Object.values(asObject(file)).flatMap(toListOrEmpty);
  const json = JSON.stringify(list, (_, value: unknown) =>
    typeof value === 'string' ? repaired(value) : value,
  );
  for (const record of JSON.parse(json) as unknown[]) yield { record: asObject(record) };
}

function repaired(text: string): string {
  if (/[^\0-\xff]/.test(text)) return text;
  try {
    return UTF8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
