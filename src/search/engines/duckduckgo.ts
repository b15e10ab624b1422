import { load } from 'cheerio';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';

/** Characters of a question; with more, DuckDuckGo answers nothing. */
const QUESTION = 499;

/** DuckDuckGo's page for browsers without scripts. */
export function duckduckgo({ baseUrl = 'https://html.duckduckgo.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'duckduckgo',
    about: {
      website: 'https://html.duckduckgo.com/html/',
      needsKey: false,
      subjects: ['general'],
      takes: [],
      pace: 1000,
    },
    request: ({ text }) => ({
      url: `${baseUrl}/html/`,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'accept-language': 'en-US,en;q=0.9',
        referer: 'https://html.duckduckgo.com/',
      },
      body: new URLSearchParams({
        q: takeCharacters(withoutBangs(text), QUESTION),
        b: '',
        kl: 'wt-wt',
      }).toString(),
    }),
    parse(body) {
      const $ = load(body);
      if ($('#challenge-form, [class*="anomaly-modal"]').length > 0) {
        throw new EngineError('captcha', 'it asks for a captcha');
      }
      const rows = $('.result').not('.result--ad, .result--no-result');
      if (rows.length === 0) {
        if ($('.no-results, .result--no-result, .result--ad').length > 0) return [];
        throw new EngineError(
          'changed',
          'its page has no results that can be told apart: the markup has changed',
        );
      }
      const links = rows.find('a.result__a').length;
      if (links === 0) throw new EngineError('changed', 'its results have no links: the markup has changed');
      return rows.toArray().flatMap((row) => {
        const link = $(row).find('a.result__a').first();
        const url = target(link.attr('href') ?? '');
        const snippet = $(row).find('.result__snippet').first();
        return url ? [{ title: oneLine(link.text()), url, snippet: oneLine(snippet.text()) }] : [];
      });
    },
  };
}

/** `!w magpie` and `\magpie` would send the question on to another site. */
function withoutBangs(text: string): string {
  return text.replace(/(^|\s)[!\\]+(?=\S)|(?<=\S)!+(?=\s|$)/g, '$1');
}

/** The address behind a redirect link; nothing for an advertisement or what is no web address. */
function target(href: string): string | undefined {
  if (!URL.canParse(href, 'https://duckduckgo.com')) return undefined;
  const url = new URL(href, 'https://duckduckgo.com');
  if (!/(^|\.)duckduckgo\.com$/.test(url.hostname))
    return /^https?:$/.test(url.protocol) ? url.href : undefined;
  const behind = url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? '') : '';
  if (!/^https?:\/\//i.test(behind) || !URL.canParse(behind)) return undefined;
  const page = new URL(behind);
  return page.hostname === 'duckduckgo.com' && page.pathname === '/y.js' ? undefined : page.href;
}

function oneLine(raw: string): string {
  return raw.replace(/\s+/g, ' ').trim();
}
