import { AppError } from '../../errors.ts';
import type { PassageMatch } from '../../knowledge/types.ts';
import type { OperationContext } from '../../operation.ts';
import { findFileParts } from '../reading/file-source.ts';
import { FILE_PREFIX } from '../searching/match.ts';
import { searchSnippets } from '../searching/search-and-read.ts';
import { type ConnectorPlace, connectorId, connectorUrl } from './connector-id.ts';

export interface ConnectorResult {
  id: string;
  title: string;
  url: string;
}

const MOST = 10;
const PASSAGES = 30;
const TITLE_CHARS = 120;

interface WeightedResult extends ConnectorResult {
  readonly weight: number;
  /** True for low relevance. If a search failed and all results are weak, the search's error is thrown. */
  readonly weak?: boolean;
}

/** Searches knowledge and web. Throws AppError if one search failed and the other found nothing relevant. */
export async function connectorSearch(
  question: string,
  withWeb: boolean,
  ctx: OperationContext,
): Promise<ConnectorResult[]> {
  const halves = await Promise.allSettled([
    keptResults(question, ctx),
    withWeb ? webResults(question, ctx) : Promise.resolve([]),
  ]);
  ctx.signal.throwIfAborted();
  const failures = halves.flatMap((half) => (half.status === 'rejected' ? [half.reason as unknown] : []));
  const found = halves.flatMap((half) => (half.status === 'fulfilled' ? half.value : []));
  if (failures.length > 0) {
    if (found.every(({ weak }) => weak) || !failures.every((one) => one instanceof AppError))
      throw failures[0];
    ctx.log.warn({ err: failures[0] }, 'half of a search of the connector failed');
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ id, title, url }) => ({ id, title, url }));
}

async function keptResults(question: string, ctx: OperationContext): Promise<WeightedResult[]> {
  const knowledge = await ctx.services.knowledge();
  const matches = await knowledge.findPassages(ctx.caller.id, question, { topK: PASSAGES }, ctx.signal);
  const close = matches.filter(({ weak }) => !weak);
  const wanted = close.length > 0 ? close : matches;
  const parts = await findFileParts(wanted, ctx);
  const results = new Map<string, WeightedResult>();
  for (const match of wanted) {
    const place = placeOf(match, parts.get(match));
    if (!place) continue;
    const id = await connectorId(place, ctx);
    if (results.has(id)) continue;
    const url = await connectorUrl(place, { source: match.source, page: match.passage.page }, ctx);
    const weight = match.score / (results.size + 1);
    results.set(id, { id, title: titleOf(match, place), url, weight, weak: match.weak === true });
    if (results.size === MOST) break;
  }
  return [...results.values()];
}

function placeOf({ passage: { of } }: PassageMatch, part: number | undefined): ConnectorPlace | undefined {
  if (!of.startsWith(FILE_PREFIX)) return { kind: 'entry', id: of };
  return part === undefined ? undefined : { kind: 'part', name: of.slice(FILE_PREFIX.length), part };
}

function titleOf({ passage, createdAt }: PassageMatch, place: ConnectorPlace): string {
  const about = (passage.title || passage.text).trim().replace(/\s+/g, ' ').slice(0, TITLE_CHARS);
  if (place.kind === 'part') return `${place.name}, part ${place.part}: ${about}`;
  return about || `Note of ${new Date(createdAt / 1000).toISOString().slice(0, 10)}`;
}

async function webResults(question: string, ctx: OperationContext): Promise<WeightedResult[]> {
  const { results } = await searchSnippets({ q: question, percentile: 100, numofpages: MOST }, ctx);
  // Results that are local files are left out, because only this machine can open them.
  const pages = results.filter(({ link }) => /^https?:/.test(link));
  return Promise.all(
    pages.map(async ({ title, link: url }, rank) => ({
      id: await connectorId({ kind: 'page', url }, ctx),
      title: title.slice(0, TITLE_CHARS),
      url,
      weight: 1 / (rank + 1),
    })),
  );
}
