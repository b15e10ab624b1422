import type { PassageMatch } from '../../knowledge/types.ts';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import type { OperationContext } from '../../operation.ts';
import { FILE_PREFIX } from '../searching/match.ts';

type FileContext = Pick<OperationContext, 'caller' | 'services'>;

export async function expandSource(source: string, { caller, services }: FileContext): Promise<string[]> {
  if (source.endsWith('*'))
    return source.startsWith(FILE_PREFIX) ? [source] : [source, `${FILE_PREFIX}${source}`];
  if (/^https?:/i.test(source)) return [source];
  const documents = await services.documents();
  const file = await documents.findFile(caller.id, nameIn(source));
  return file ? [source, `${FILE_PREFIX}${file.name}`] : [source];
}

const FILE_NAME = /^(?!https?:).*\.[a-z][a-z0-9]{1,8}$/is;

/** Throws AppError `not_found` with similar names if `source` names a file that does not exist. */
export async function checkFileSource(source: string, { caller, services }: FileContext): Promise<void> {
  if (source.endsWith('*') || !(source.startsWith(FILE_PREFIX) || FILE_NAME.test(source))) return;
  const documents = await services.documents();
  if (await documents.findFile(caller.id, nameIn(source))) return;
  const knowledge = await services.knowledge();
  const { entries } = await knowledge.listEntries(caller.id, 1, undefined, { source: [source] });
  if (entries.length === 0) await documents.getDocument(caller.id, nameIn(source));
}

function nameIn(source: string): string {
  if (!source.startsWith(FILE_PREFIX)) return source;
  return decodePercent(source.slice(FILE_PREFIX.length));
}

export async function findFileParts(
  matches: readonly PassageMatch[],
  { caller, services }: FileContext,
): Promise<Map<PassageMatch, number>> {
  const byFile = new Map<string, PassageMatch[]>();
  for (const match of matches) {
    const { of, page } = match.passage;
    if (page === undefined || !of.startsWith(FILE_PREFIX)) continue;
    const name = of.slice(FILE_PREFIX.length);
    byFile.set(name, [...(byFile.get(name) ?? []), match]);
  }
  const parts = new Map<PassageMatch, number>();
  if (byFile.size === 0) return parts;
  const documents = await services.documents();
  for (const [name, found] of byFile) {
    const pages = found.map(({ passage }) => passage.page ?? 0);
    const known = await documents.listPartsOfPages(caller.id, name, pages);
    for (const match of found) {
      const part = known.get(match.passage.page ?? 0);
      if (part !== undefined) parts.set(match, part);
    }
  }
  return parts;
}
