import { asObject, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';

const TAG = /\[\[([^\]]{1,200})\]\]|\S+/g;

/** Makes records of TiddlyWiki's tiddlers. Blanks part their tags, and a tag with a blank is in double brackets. */
export function* splitTiddlers(list: unknown): Generator<FoundRecord> {
  for (const one of toListOrEmpty(list)) {
    const { title, tags, ...fields } = asObject(one);
    const names = Array.isArray(tags)
      ? tags
      : Array.from(String(tags ?? '').matchAll(TAG), ([word, inner]) => inner ?? word);
    if (/^\$:\//.test(String(title))) yield { skipped: 'a setting of the program', count: 1 };
    else yield { record: { id: title, title, ...fields, tags: names } };
  }
}
