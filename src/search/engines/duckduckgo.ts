import { load } from 'cheerio';
import { EngineError, type SearchEngine } from '../engine.ts';

/** DuckDuckGo's page for browsers without scripts. */
export function duckduckgo({
  baseUrl = 'https://html.duckduckgo.com',
}: {
  readonly baseUrl?: string;
} = {}): SearchEngine {
  return {
    name: 'duckduckgo',
    about: { website: 'https://html.duckduckgo.com/html/', needsKey: false },
    request: ({ text }) => ({
      url: `${baseUrl}/html/`,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'accept-language': 'en-US,en;q=0.9',
        referer: 'https://html.duckduckgo.com/',
      },
      body: new URLSearchParams({ q: text.slice(0, 499), b: '', kl: 'wt-wt' }).toString(),
    }),
    parse(body) {
      const $ = load(body);
      if ($('#challenge-form, .anomaly-modal__modal, [class*="anomaly-modal"]').length > 0) {
        throw new EngineError('captcha', 'it asks for a captcha');
      }
      const rows = $('#links .result, .results .result').not('.result--ad, .result--no-result');
      if (rows.length === 0) {
        if ($('.no-results, .result--no-result').length > 0) return [];
        if ($('.result--ad').length > 0) return [];
        throw new EngineError(
          'changed',
          'its page has no results that can be told apart: the markup has changed',
        );
      }
      const hits = rows.toArray().flatMap((row) => {
        const link = $(row).find('a.result__a').first();
        const url = target(link.attr('href') ?? '');
        if (!url) return [];
        return [
          { title: text(link.text()), url, snippet: text($(row).find('.result__snippet').first().text()) },
        ];
      });
      if (hits.length === 0)
        throw new EngineError('changed', 'its results have no links: the markup has changed');
      return hits;
    },
  };
}

/** The address behind a redirect link; nothing for an advertisement or what is no web address. */
function target(href: string): string | undefined {
  if (!URL.canParse(href, 'https://duckduckgo.com')) return undefined;
  const url = new URL(href, 'https://duckduckgo.com');
  const behind = url.searchParams.get('uddg');
  if (url.pathname === '/y.js' || behind?.includes('duckduckgo.com/y.js')) return undefined;
  const address = behind ?? href;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address).href : undefined;
}

function text(raw: string): string {
  return raw.replace(/\s+/g, ' ').trim();
}
