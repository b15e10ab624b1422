import { defined } from '../../lib/defined.ts';
import { pageHeaders } from '../browser.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, emptyPage, pageAddress, readHtml } from '../html-answer.ts';
import { siteWords } from '../site-words.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
const EMPTY = {
  captcha: /just a moment|verify(?:ing)? (?:that )?you are (?:a )?human|captcha|attention required/i,
  nothing: /no results|unfortunately we didn.t find/i,
};

/**
 * Ecosia's result page. Its guard against robots (Cloudflare) judges by how a connection is made, which Node cannot
 * imitate: from many addresses it answers with a challenge.
 */
export function ecosia({ baseUrl = 'https://www.ecosia.org' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'ecosia',
    about: {
      title: 'Ecosia',
      website: 'https://www.ecosia.org/',
      source: 'bing',
      needsKey: false,
      categories: ['general'],
      takes: ['region', 'timeRange', 'site', 'sites', 'excludeSite'],
      pages: 10,
      pace: 5000,
      resultPage: true,
      facts: {
        limits: 'A page for people: it publishes no number and may refuse a program at any time.',
        atLimit: 'A captcha, 403 or 429.',
        keeps: 'unsaid',
        privacy: 'Its privacy policy was not read. Bing or Google answers through it.',
        sources: ['https://www.ecosia.org/'],
        checked: '2026-11-27',
      },
    },
    cookies: true,
    pauses: [403, 503],
    refusals: { 403: 'it refuses what seems to be a robot', 503: 'it refuses what seems to be a robot' },
    request: ({ text, region, timeRange, site, excludeSite, page = 1 }) => ({
      url: `${baseUrl}/search?${new URLSearchParams(
        defined({
          method: 'index',
          q: takeCharacters(`${siteWords({ site, excludeSite })}${text}`, MAX_QUESTION_CHARS),
          freshness: timeRange,
          // It counts from 0.
          p: page > 1 ? String(page - 1) : undefined,
        }),
      )}`,
      headers: pageHeaders({
        from: page > 1 ? `${baseUrl}/` : undefined,
        cookie: `ECFG=as=1:f=i:hs=1:mc=${region ? `en-${region.toLowerCase()}` : 'en-us'}:nt=0:t=0`,
      }),
    }),
    parse(body, query) {
      const $ = readHtml(body);
      if ($('[name="cf-turnstile-response"], #challenge-form, #challenge-running').length > 0) {
        throw new EngineError('captcha', 'it asks for a captcha');
      }
      const rows = $('[data-test-id="mainline-result-web"]').toArray();
      if (rows.length === 0) {
        if ($('[data-test-id="web-no-results"]').length > 0) return [];
        return emptyPage($, query.text, EMPTY);
      }
      const links = rows.map((row) => $(row).find('a[data-test-id="result-link"], a[href^="http"]').first());
      if (links.every((link) => !link.attr('href'))) {
        throw new EngineError('changed', 'its results have no links: the markup has changed');
      }
      return rows.flatMap((row, at) => {
        const url = pageAddress(links[at]?.attr('href'), 'ecosia.org');
        if (!url) return [];
        const title = $(row).find('[data-test-id="result-title"], h2').first().text();
        const words = $(row)
          .find('[data-test-id="web-result-description"], [data-test-id="result-description"], p')
          .first();
        return toHits({ url, title: asHtml(title), snippet: asHtml(words.text()) });
      });
    },
  };
}
