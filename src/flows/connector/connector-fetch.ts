import { ignoreNotFound, notFoundError } from '../../errors.ts';
import { documentUri } from '../../lib/resource-uri.ts';
import { fitsAsJson } from '../../lib/text/json-size.ts';
import { isoTime } from '../../lib/time/microseconds.ts';
import type { OperationContext } from '../../operation.ts';
import { browsePage } from '../reading/browse.ts';
import { type ConnectorPlace, connectorUrl, parseConnectorId } from './connector-id.ts';

/** Maximum number of parts (about 2,000 words each) of a page in one answer. */
const PAGE_PARTS = 10;
const BESIDE_BYTES = 16_000;
type ConnectorFacts = Readonly<Record<string, string | number | undefined>>;
type DraftText = Record<'title' | 'text' | 'url', string> & { readonly facts: ConnectorFacts };

/** Returns the full text for an id of `connectorSearch`. Throws AppError `not_found` for unknown ids and deleted texts. */
export async function fetchConnectorText(id: string, withWeb: boolean, ctx: OperationContext) {
  const place = await parseConnectorId(id, ctx);
  const found = place && (withWeb || place.kind !== 'page') ? await read(place, ctx) : undefined;
  if (!found) {
    const shown = JSON.stringify(id.length > 200 ? `${id.slice(0, 197)}...` : id);
    throw notFoundError(`there is nothing at id ${shown}: it takes an id that search has just given`);
  }
  const { facts, ...rest } = found;
  const text = await within(found.text, ctx.responseBytes - BESIDE_BYTES);
  const cut =
    text.length < found.text.length
      ? `the first ${text.length} of ${found.text.length} characters`
      : undefined;
  const known = Object.entries({ ...facts, shown: cut }).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return {
    id,
    ...rest,
    text,
    metadata: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  };
}

function read(place: ConnectorPlace, ctx: OperationContext): Promise<DraftText | undefined> {
  if (place.kind === 'entry') return readEntry(place, ctx);
  return place.kind === 'part' ? readFilePart(place, ctx) : readWebPage(place, ctx);
}

async function readEntry(place: ConnectorPlace & { kind: 'entry' }, ctx: OperationContext) {
  const knowledge = await ctx.services.knowledge();
  const entry = await knowledge.findEntry(ctx.caller.id, place.id);
  if (!entry) return undefined;
  const { text, title, source, tags, collection, createdAt, updatedAt } = entry;
  return {
    title: title || (text.trim().split('\n', 1)[0] ?? '').slice(0, 120) || 'Note',
    text,
    url: await connectorUrl(place, { source }, ctx),
    facts: {
      kind: 'note',
      source,
      tags: tags.join(', '),
      collection,
      created: isoTime(createdAt),
      updated: isoTime(updatedAt),
    },
  };
}

async function readFilePart(place: ConnectorPlace & { kind: 'part' }, ctx: OperationContext) {
  const documents = await ctx.services.documents();
  // Ignores the not-found error, which suggests file names. They do not help a caller that knows only ids.
  const found = await documents.readPart(ctx.caller.id, place.name, place.part).catch(ignoreNotFound);
  if (found?.document.name !== place.name) return undefined;
  const { document, part, pages } = found;
  const [first, last] = [pages[0]?.page ?? 1, pages.at(-1)?.page ?? 1];
  return {
    title: `${document.title || document.name}, part ${part} of ${document.parts}`,
    text: pages.map(({ page, text }) => `[page ${page}]\n\n${text}`).join('\n\n'),
    url: await connectorUrl(place, { page: first }, ctx),
    facts: {
      kind: 'file',
      file: document.name,
      author: document.author,
      pages: first === last ? first : `${first} to ${last} of ${document.pages}`,
      next: part < document.parts ? documentUri(document.name, part + 1) : undefined,
    },
  };
}

async function readWebPage({ url }: ConnectorPlace & { kind: 'page' }, ctx: OperationContext) {
  const { results } = await browsePage(
    { q: url, percentile: 1, numofpages: PAGE_PARTS, addresses: 'none' },
    ctx,
  );
  const [first] = results;
  const parts = first?.parts ?? results.length;
  return {
    title: first?.title || url,
    text: results.map(({ full_content = '' }) => full_content).join('\n\n'),
    url: first?.link ?? url,
    facts: {
      kind: 'page',
      site: first?.site,
      author: first?.author,
      published: first?.published,
      warnings: first?.warnings?.map(({ kind, text }) => `${kind}: ${text}`).join('\n'),
      parts: parts > PAGE_PARTS ? `the first ${PAGE_PARTS} of ${parts}` : undefined,
    },
  };
}

async function within(text: string, bytes: number): Promise<string> {
  let [low, high] = [0, text.length];
  if (await fitsAsJson(text, bytes)) return text;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (await fitsAsJson(text.slice(0, middle), bytes)) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\uD800-\uDBFF]$/, '');
}
