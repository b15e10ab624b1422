import type { Page, PageBrowser } from '../../browse/types.ts';
import { ignoreNotFound, unavailableError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { OperationContext } from '../../operation.ts';
import type { PageVersion } from '../../search/types.ts';
import { createTextWork } from '../searching/answer.ts';
import { composeAnswerRules, explainWarnings } from '../searching/rules.ts';
import type { SearchBody, SearchItem } from '../searching/search-body.ts';
import type { BrowseInput, ComparisonTime } from './browse-input.ts';

const MAX_LISTED = 100;
const MAX_CHARS = 20_000;
const SHARE_OF_ANSWER = 0.25;
/** A time may be up to a day in the future, because it may be today in another time zone. */
const DAY_MS = 24 * 3_600_000;

/** Returns an earlier version of a page. Throws AppError `unavailable` if the local index is off. */
export async function earlierVersion(
  { url }: Page,
  since: ComparisonTime,
  ctx: OperationContext,
): Promise<PageVersion | undefined> {
  const search = await ctx.services.search();
  if (!search.keepsPages) {
    throw unavailableError(
      'no earlier version of a page is kept, since the local index is switched off: MAGPIE_LOCAL_INDEX turns it on; leave out since to read the page',
    );
  }
  return search.recallVersion(ctx.caller.id, url, since === 'last' ? Number.MAX_SAFE_INTEGER : since);
}

export const NO_EARLIER_VERSION_NOTE =
  'No earlier version of this page is kept for you, so this is its text: ask again later with since for what has changed. ';

export async function changesSince(
  { page, earlier }: { readonly page: Page; readonly earlier: PageVersion },
  input: BrowseInput & { readonly since: ComparisonTime },
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<SearchBody> {
  const work = createTextWork(ctx);
  const { section, since, inputwindowwords } = input;
  const partOf = async (markdown: string): Promise<string> => {
    const text = await browse.dropAddresses(markdown, 'pictures', work);
    return section ? (await browse.findSection(text, section, work)).markdown : text;
  };
  const now = await partOf(earlier.cut ? page.markdown.slice(0, earlier.text.length) : page.markdown);
  const kept = page.isCut ? earlier.text.slice(0, page.markdown.length) : earlier.text;
  const before = (await partOf(kept).catch(ignoreNotFound)) ?? '';
  const { list, ...counts } = await browse.comparePages(
    before,
    now,
    {
      most: MAX_LISTED,
      chars: Math.min(MAX_CHARS, Math.floor(ctx.responseBytes * SHARE_OF_ANSWER)),
      ...(inputwindowwords !== undefined && { words: inputwindowwords }),
    },
    work,
  );
  const read = since !== 'last' && earlier.readAt > since ? earlier.firstReadAt : earlier.readAt;
  const changes: NonNullable<SearchItem['changes']> = {
    since: new Date(read).toISOString(),
    ...counts,
    list: [...list],
  };
  const { title, url: link, reduced, warnings } = page;
  return {
    results: [{ title, link, section, reduced, warnings, changes }],
    rules:
      saidOf(changes, input, earlier) +
      explainWarnings([page]) +
      composeAnswerRules({ hasLinks: false, hasText: list.length > 0 }, ctx),
  };
}

function saidOf(
  { since: read, added, removed, changed, list }: NonNullable<SearchItem['changes']>,
  { since, section }: BrowseInput & { readonly since: ComparisonTime },
  { firstReadAt, cut }: PageVersion,
): string {
  const what = section ? 'section' : 'page';
  const all = added + removed + changed;
  const more = all > list.length ? `, of which the first ${list.length} are listed` : '';
  return [
    all === 0
      ? `Nothing has changed on this ${what} since it was read at ${read}. `
      : `${formatCount(all, 'change')} on this ${what} since it was read at ${read}${more}: leave out since for its whole text. `,
    since !== 'last' && since > Date.now() + DAY_MS
      ? 'The time that you gave is yet to come: this is against the last reading. '
      : '',
    since !== 'last' && firstReadAt > since
      ? 'No version that was read by the time that you gave is kept: this is the oldest. '
      : '',
    cut ? 'Of so long a page only the first megabyte is kept and compared. ' : '',
  ].join('');
}
