import { defined } from '../../lib/defined.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, pageAddress, readHtml, toldBy } from '../html-answer.ts';
import { startOf } from '../time-range.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
/** What Mojeek's preferences offer; it knows the pages of no other language. */
const LANGUAGES =
  /^(?:af|an|br|ca|co|cy|da|de|dz|en|es|fi|fr|ga|gd|gl|hr|ht|ia|id|ie|io|it|kw|la|lb|nb|nl|nn|no|oc|pl|pt|rm|rn|rw|sg|so|sq|ss|sv|sw|to|ts|vo|wa|xh|zu)$/;

/** Mojeek's own index: https://www.mojeek.com/support/search-operators.html */
export function mojeek({ baseUrl = 'https://www.mojeek.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'mojeek',
    about: {
      title: 'Mojeek',
      website: 'https://www.mojeek.com/',
      needsKey: false,
      subjects: ['general'],
      takes: ['language', 'region', 'timeRange', 'site'],
      // Its users measured about ten requests from one address before it refuses for some minutes.
      pace: 5000,
    },
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request: ({ text, language, region, timeRange, site }) => {
      // Preferences are cookies there; `none` is a region too: it would else go by the server's own place.
      const preferences = [
        ...(language && LANGUAGES.test(language) ? [`lb=${language}`] : []),
        `arc=${region ? region.toLowerCase() : 'none'}`,
      ];
      return {
        url: `${baseUrl}/search?${new URLSearchParams(
          defined({
            q: takeCharacters(`${site ? `site:${site} ` : ''}${asWords(text)}`, MAX_QUESTION_CHARS),
            since: timeRange ? startOf(timeRange).slice(0, 10).replaceAll('-', '') : undefined,
          }),
        )}`,
        headers: { accept: 'text/html', 'accept-language': 'en', cookie: preferences.join('; ') },
      };
    },
    parse(body, query) {
      const $ = readHtml(body);
      const rows = $('ul.results-standard > li').toArray();
      if (rows.length === 0) {
        const told = toldBy($, query.text);
        if (/captcha|complete this challenge|automated (?:queries|requests)/i.test(told)) {
          throw new EngineError('captcha', 'it asks for a captcha');
        }
        if (/no (?:pages|results) found/i.test(told)) return [];
        throw new EngineError('changed', 'its page has no results: the markup has changed');
      }
      const links = rows.map((row) => $(row).find('a.title, h2 > a').first());
      if (links.every((link) => !link.attr('href'))) {
        throw new EngineError('changed', 'its results have no links: the markup has changed');
      }
      return rows.flatMap((row, at) => {
        const link = links[at];
        const url = pageAddress(link?.attr('href'), 'mojeek.com');
        if (!link || !url) return [];
        const date = $(row).find('.mdate').first();
        const published = date.text();
        date.remove();
        const snippet = $(row).find('p.s').first().text();
        return toHits({ url, title: asHtml(link.text()), snippet: asHtml(snippet), published });
      });
    },
  };
}

/** It answers 403 to an operator that stands alone and to quotation marks beside one. */
function asWords(text: string): string {
  return text
    .replaceAll('"', ' ')
    .replace(/\b((?:all)?in(?:anchor|text|title|url)|since|before|site):/gi, '$1 ');
}
