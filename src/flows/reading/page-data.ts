import type { DataSchema, FittedData, Page, PageBrowser } from '../../browse/types.ts';
import type { OperationContext } from '../../operation.ts';
import { createTextWork } from '../searching/answer.ts';
import { composeAnswerRules, explainReducedPages, explainWarnings } from '../searching/rules.ts';
import type { SearchBody } from '../searching/search-body.ts';
import type { BrowseInput } from './browse-input.ts';

/** Maximum characters of data. The answer's size and the word limit may set a lower maximum. */
const MAX_CHARS = 100_000;
const SHARE_OF_ANSWER = 0.2;
const MAX_NAMED = 20;

export async function extractPageData(
  page: Page,
  schema: DataSchema,
  { inputwindowwords = Infinity }: BrowseInput,
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<SearchBody> {
  const most = Math.min(MAX_CHARS, Math.floor(ctx.responseBytes * SHARE_OF_ANSWER), inputwindowwords);
  const { data, missing, required, from } = await browse.fitData(page, schema, most, createTextWork(ctx));
  const { title, url: link, reduced, warnings } = page;
  return {
    results: [{ title, link, reduced, warnings, ...(data !== undefined && { data }) }],
    rules:
      (data === undefined
        ? 'The page has nothing of what extract asks for where programs can read it: leave out extract for its text. '
        : `Taken from ${originsOf(from)}. `) +
      (missing.length > 0 && data !== undefined
        ? `Not found: ${quoted(missing)}; the text of the page may say it. `
        : '') +
      (required.length > 0
        ? `The schema requires ${quoted(required)}, which the page does not say so. `
        : '') +
      explainReducedPages([page]) +
      explainWarnings([page]) +
      composeAnswerRules({ hasLinks: false, hasText: true }, ctx),
  };
}

function originsOf(from: FittedData['from']): string {
  if (from.length < 2) return from.map((one) => one.from).join('');
  return from
    .map(({ from: place, names }) => {
      const named = names.filter(Boolean).slice(0, MAX_NAMED);
      return named.length > 0 ? `${place} (${named.join(', ')})` : place;
    })
    .join(', ');
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
