import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { asObject, asTrimmedText, toListOrEmpty } from '../import-values.ts';

/** Returns the words of a canvas of Obsidian or a drawing of Excalidraw, or undefined for any other file. */
export function readJsonCanvas(raw: string): string | undefined {
  if (raw.trim() === '') return '';
  const { nodes, edges, elements } = asObject(parseJsonOrNothing(raw));
  const lists = [nodes, edges, elements];
  if (!lists.some(Array.isArray)) return undefined;
  const words = lists.flatMap(toListOrEmpty).flatMap((one) => {
    const { text, label, link: address, url = address, file, subpath } = asObject(one);
    const link = asTrimmedText(file);
    return [label, text, url, link && `[[${link}${asTrimmedText(subpath) ?? ''}]]`];
  });
  return words.flatMap((word) => asTrimmedText(word) ?? []).join('\n\n');
}
