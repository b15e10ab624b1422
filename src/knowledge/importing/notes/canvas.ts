import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { asObject, asTrimmedText, toListOrEmpty } from '../import-values.ts';

export function readJsonCanvas(raw: string): string | undefined {
  if (raw.trim() === '') return '';
  const { nodes, edges } = asObject(parseJsonOrNothing(raw));
  if (!Array.isArray(nodes) && !Array.isArray(edges)) return undefined;
  const words = [...toListOrEmpty(nodes), ...toListOrEmpty(edges)].flatMap((one) => {
    const { text, label, url, file, subpath } = asObject(one);
    const link = asTrimmedText(file);
    return [label, text, url, link && `[[${link}${asTrimmedText(subpath) ?? ''}]]`];
  });
  return words.flatMap((word) => asTrimmedText(word) ?? []).join('\n\n');
}
