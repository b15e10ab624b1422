import { Parser } from 'htmlparser2';
import type { ImportFields } from '../importing/import-values.ts';
import type { FoundRecord } from './linked-items.ts';

interface Outline extends ImportFields {
  readonly children: Outline[];
}

/** Reads an outline in OPML as one record with nested lists. `_note` and `_complete` are marks of Workflowy. */
export function* readOutline(xml: string, name: string): Generator<FoundRecord> {
  const root: Outline = { children: [] };
  const open: Outline[] = [root];
  const head: Record<string, string> = {};
  let element = '';
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        element = tag;
        if (tag !== 'outline') return;
        const { text, title = '', _note: note, _complete: done, ...others } = attributes;
        const item = {
          text: [text ?? title, note].filter((part) => part !== undefined).join('\n'),
          ...(text !== undefined && title !== text && title !== '' && { title }),
          ...(done !== undefined && { isCompleted: done === 'true' }),
          ...others,
          children: [],
        };
        open.at(-1)?.children.push(item);
        open.push(item);
      },
      ontext(piece) {
        if (piece.trim() !== '') head[element] = `${head[element] ?? ''}${piece}`;
      },
      onclosetag(tag) {
        if (tag === 'outline' && open.length > 1) open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const { title = name, ...others } = head;
  yield { record: { title, items: root.children, ...others } };
}
