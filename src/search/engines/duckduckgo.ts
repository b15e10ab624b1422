import { defined } from '../../lib/defined.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { DUCKDUCKGO_REGIONS } from '../engine-places.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, readHtml } from '../html-answer.ts';

/** Characters of a question; with more, DuckDuckGo answers nothing. */
const MAX_QUESTION_CHARS = 499;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;

/** DuckDuckGo's page for browsers without scripts. */
export function duckduckgo({ baseUrl = 'https://html.duckduckgo.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'duckduckgo',
    about: {
      title: 'DuckDuckGo',
      website: 'https://html.duckduckgo.com/html/',
      needsKey: false,
      subjects: ['general'],
      takes: ['language', 'region', 'timeRange', 'site'],
      // Users of SearXNG see captchas from about a request a second on.
      pace: 2000,
    },
    pauses: [403, 418],
    refusals: { 403: 'it refuses what seems to be a robot', 418: 'it refuses what seems to be a robot' },
    request: ({ text, language, region, timeRange, site }) => {
      const place = placeOf(region, language);
      return {
        url: `${baseUrl}/html/`,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'text/html',
          'accept-language': 'en-US,en;q=0.9',
          referer: 'https://html.duckduckgo.com/',
        },
        body: new URLSearchParams(
          defined({
            q: takeCharacters(`${site ? `site:${site} ` : ''}${withoutBangs(text)}`, MAX_QUESTION_CHARS),
            b: '',
            kl: place,
            df: timeRange ? SINCE[timeRange] : undefined,
          }),
        ).toString(),
      };
    },
    parse(body) {
      const $ = readHtml(body);
      if ($('#challenge-form, [class*="anomaly-modal"]').length > 0) {
        throw new EngineError('captcha', 'it asks for a captcha');
      }
      const rows = $('.result').not('.result--ad, .result--no-result');
      if (rows.length === 0) {
        if ($('.no-results, .result--no-result, .result--ad').length > 0) return [];
        throw new EngineError(
          'changed',
          'the results of its page cannot be separated: the markup has changed',
        );
      }
      const links = rows.find('a.result__a').length;
      if (links === 0) throw new EngineError('changed', 'its results have no links: the markup has changed');
      return rows.toArray().flatMap((row) => {
        const link = $(row).find('a.result__a').first();
        const url = target(link.attr('href') ?? '');
        if (!url) return [];
        const snippet = $(row).find('.result__snippet').first().text();
        // A time stands beside the address where the page has one: `2026-02-12T00:00:00.0000000`.
        const published = $(row)
          .find('.result__extras__url > span, .result__extras > span')
          .toArray()
          .map((part) => $(part).text().trim())
          .find((part) => /^\d{4}-\d{2}-\d{2}/.test(part));
        return toHits({ url, title: asHtml(link.text()), snippet: asHtml(snippet), published });
      });
    },
  };
}

/** A region of DuckDuckGo's stands for both: it has no choice of language without scripts. */
function placeOf(region?: string, language?: string): string {
  if (!region && !language) return 'wt-wt';
  const country = (region === 'GB' ? 'uk' : (region ?? '')).toLowerCase();
  const tongue = OWN_NAMES[language ?? ''] ?? language ?? '';
  const there = DUCKDUCKGO_REGIONS.filter((place) => place.startsWith(`${country}-`));
  if (region) return there.find((place) => place.endsWith(`-${tongue}`)) ?? there[0] ?? 'wt-wt';
  const spoken = DUCKDUCKGO_REGIONS.filter((place) => place.endsWith(`-${tongue}`));
  return spoken.find((place) => place === (HOMES[tongue] ?? `${tongue}-${tongue}`)) ?? spoken[0] ?? 'wt-wt';
}

/** Its names of languages, where they are not those of ISO 639-1. */
const OWN_NAMES: Readonly<Record<string, string>> = { ja: 'jp', ko: 'kr', nb: 'no', nn: 'no' };
/** Where a language is asked for from, if from no country of its name. */
const HOMES: Readonly<Record<string, string>> = { en: 'us-en', zh: 'cn-zh' };

/** `!w magpie` and `\magpie` would send the question on to another site. */
function withoutBangs(text: string): string {
  return text.replace(/(^|\s)[!\\]+(?=\S)|(?<=\S)!+(?=\s|$)/g, '$1');
}

/** The address behind a redirect link; nothing for an advertisement or for what is not a web address. */
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
