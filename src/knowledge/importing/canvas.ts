import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { asList, asObject, asTrimmedText } from './import-values.ts';

export function readCanvas(raw: string): string | undefined {
  if (raw.trim() === '') return '';
  const { nodes, edges } = asObject(parseJsonOrNothing(raw));
  if (!Array.isArray(nodes) && !Array.isArray(edges)) return undefined;
  const words = [...asList(nodes), ...asList(edges)].flatMap((one) => {
    const { text, label, url, file, subpath } = asObject(one);
    const link = asTrimmedText(file);
    return [label, text, url, link && `[[${link}${asTrimmedText(subpath) ?? ''}]]`];
  });
  return words.flatMap((word) => asTrimmedText(word) ?? []).join('\n\n');
}
