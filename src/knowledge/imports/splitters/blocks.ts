import { asObject, type ImportFields, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

const REFERENCE = /(?<!\()\(\(([\w-]{6,40})\)\)(?!\))/g;
const MAX_DEPTH = 100;
const MAX_NESTED = 3;
/** Maximum characters that references add to a block. Further references stay as they are. */
const MAX_ADDED = 20_000;

/** Puts the text of a block in the place of each reference to it, such as `((kQ3_x9Abc))`, in pages of Roam. */
export function* splitPages(pages: unknown): Generator<FoundRecord> {
  const texts = new Map<unknown, string>();
  const note = (block: ImportFields, depth = 0): void => {
    if (typeof block.string === 'string') texts.set(block.uid, block.string);
    if (depth < MAX_DEPTH) for (const one of toListOrEmpty(block.children)) note(asObject(one), depth + 1);
  };
  const list = toListOrEmpty(pages).map(asObject);
  for (const page of list) note(page);
  const resolve = (text: string, room: { chars: number }, nested = 0): string =>
    text.replace(REFERENCE, (mark, uid: string) => {
      const found = texts.get(uid);
      if (found === undefined || nested === MAX_NESTED || room.chars < found.length) return mark;
      room.chars -= found.length;
      return resolve(found, room, nested + 1);
    });
  /** A heading in Roam is a field beside the text of its block. */
  const mark = ({ heading }: ImportFields) =>
    /^[1-6]$/.test(String(heading)) ? `${'#'.repeat(Number(heading))} ` : '';
  const shown = (block: ImportFields, depth = 0): ImportFields => ({
    ...block,
    ...(typeof block.string === 'string' && {
      string: mark(block) + resolve(block.string, { chars: MAX_ADDED }),
    }),
    ...(Array.isArray(block.children) &&
      depth < MAX_DEPTH && { children: block.children.map((one) => shown(asObject(one), depth + 1)) }),
  });
  for (const page of list) yield { record: shown(page) };
}
