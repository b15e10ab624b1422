import type { PassageIndex } from './passage-index.ts';
import type { DocumentMatch, Documents, PartRange } from './types.ts';

export interface FindInFileOptions extends Pick<Documents, 'getDocument' | 'readPart' | 'listPartsOfPages'> {
  ensureIndexed(owner: string, name: string): Promise<void>;
  readonly index: Pick<PassageIndex, 'findPassages'>;
}

interface PageRun {
  readonly fromPage: number;
  toPage: number;
}

export function createFindInFile(options: FindInFileOptions): Documents['findInFile'] {
  const { getDocument, readPart, listPartsOfPages, ensureIndexed, index } = options;

  const readRanges = async (owner: string, name: string, parts: readonly PartRange[]) => {
    const ordered = [...parts].sort((one, other) => one.from - other.from);
    const runs: PageRun[] = [];
    let document = await getDocument(owner, name);
    for (const { from, to } of ordered) {
      const last = await readPart(owner, document.name, to);
      const first = from === to ? last : await readPart(owner, document.name, from);
      ({ document } = last);
      const [fromPage, toPage] = [first.pages[0]?.page ?? 1, last.pages.at(-1)?.page ?? 1];
      const before = runs.at(-1);
      if (before && fromPage <= before.toPage + 1) before.toPage = Math.max(before.toPage, toPage);
      else runs.push({ fromPage, toPage });
    }
    return { document, runs };
  };
  const readAll = async (owner: string, name: string) => {
    const document = await getDocument(owner, name);
    return { document, runs: [{ fromPage: 1, toPage: document.pages }] };
  };

  return async (owner, name, parts, question, most, signal) => {
    const { document, runs } = await (parts === 'all'
      ? readAll(owner, name)
      : readRanges(owner, name, parts));
    await ensureIndexed(owner, document.name);
    const find = async (words: string, among: readonly PageRun[]) => {
      const found: DocumentMatch[] = [];
      for (const run of among) {
        found.push(...(await index.findPassages(owner, document.name, run, words, most, signal)));
      }
      return found.sort((one, other) => other.score - one.score).slice(0, most);
    };
    const best = await find(question, runs);
    const matches = best.length > 0 ? best : await find('', runs.slice(0, 1));
    const pages = matches.map(({ page }) => page);
    const known = await listPartsOfPages(owner, document.name, pages);
    return { document, matches: matches.map((match) => ({ ...match, part: known.get(match.page) ?? 1 })) };
  };
}
