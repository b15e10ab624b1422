import { defined } from '../../lib/defined.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, pageAddress, readHtml, toldBy } from '../html-answer.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
const SINCE = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
/** What its settings offer as a country. */
const COUNTRIES =
  /^(?:ar|at|au|be|br|ca|ch|cl|cn|de|dk|es|fi|fr|gb|hk|id|in|it|jp|kr|mx|my|nl|no|nz|ph|pl|pt|ru|sa|se|tr|tw|us|za)$/;
/** A date before the words, such as `February 13, 2026 -` or `3 days ago -`. */
const DATED = /^([^-–]{4,19}[^-–\s])\s{0,9}[-–]?$/;

/** Brave's own index by its page, which needs no scripts. Operators: https://search.brave.com/help/operators */
export function brave({ baseUrl = 'https://search.brave.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'brave',
    about: {
      title: 'Brave',
      website: 'https://search.brave.com/',
      needsKey: false,
      subjects: ['general'],
      takes: ['language', 'region', 'timeRange', 'site'],
      // It answers 429 to a second request within seconds.
      pace: 8000,
    },
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request: ({ text, language, region, timeRange, site }) => {
      const country = region?.toLowerCase() ?? '';
      const words = `${site ? `site:${site} ` : ''}${text}`;
      const operators = language ? ` lang:${language}` : '';
      return {
        url: `${baseUrl}/search?${new URLSearchParams(
          defined({
            q: takeCharacters(words, MAX_QUESTION_CHARS - operators.length) + operators,
            source: 'web',
            tf: timeRange ? SINCE[timeRange] : undefined,
          }),
        )}`,
        headers: {
          accept: 'text/html',
          'accept-language': 'en-US,en;q=0.9',
          // Without a country and with its own place it would answer by where the server stands.
          cookie: `country=${COUNTRIES.test(country) ? country : 'all'}; useLocation=0; summarizer=0; ui_lang=en-us`,
        },
      };
    },
    parse(body, query) {
      const $ = readHtml(body);
      const rows = $('#results .snippet[data-type="web"], .snippet[data-type="web"]').toArray();
      if (rows.length === 0) {
        const told = toldBy($, query.text);
        const asks = $('[href*="pow-captcha"], [name="captcha-button"], #captcha').length > 0;
        if (asks || /captcha|flagged as being suspicious|not a robot/i.test(told)) {
          throw new EngineError('captcha', 'it asks for a captcha');
        }
        if (/not many great matches|no results found/i.test(told)) return [];
        throw new EngineError('changed', 'its page has no results: the markup has changed');
      }
      const found = rows.map((row) => ({
        link: $(row).find('a[href]').first().attr('href'),
        title: $(row).find('.search-snippet-title, .title').first(),
        words: $(row).find('.generic-snippet .content, .snippet-description, .content').first(),
      }));
      if (found.every(({ link, title }) => !link || title.length === 0)) {
        throw new EngineError('changed', 'its results have no links or titles: the markup has changed');
      }
      return found.flatMap(({ link, title, words }) => {
        const url = pageAddress(link, 'brave.com');
        if (!url || title.length === 0) return [];
        const date = words.find('span.t-secondary').first();
        const published = DATED.exec(date.text().trim())?.[1];
        if (published) date.remove();
        return toHits({ url, title: asHtml(title.text()), snippet: asHtml(words.text()), published });
      });
    },
  };
}
