import { defined } from '../../lib/defined.ts';
import { pageHeaders } from '../browser.ts';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, emptyPage, pageAddress, readHtml } from '../html-answer.ts';
import { siteWords } from '../site-words.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
/** Languages that its site search can be kept to. */
const LANGUAGES = /^(?:be|de|en|fr|id|kk|ru|tr|tt|uk)$/;
/** The number of a form for searching the whole web from another site. */
const FORM = '3131712';
const EMPTY = {
  captcha: /smartcaptcha|not a robot|confirm that you|вы не робот|автоматические/i,
  nothing: /no results|nothing (?:was )?found|ничего не (?:найдено|нашлось)/i,
};

/** Yandex by the page of results that it gives to other sites' search forms, which needs no scripts. */
export function yandex({ baseUrl = 'https://yandex.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'yandex',
    about: {
      title: 'Yandex',
      website: 'https://yandex.com/',
      needsKey: false,
      categories: ['general'],
      takes: ['language', 'site', 'sites', 'excludeSite'],
      pages: 10,
      pace: 5000,
      resultPage: true,
      facts: {
        limits: 'A page for people: it publishes no number and may refuse a program at any time.',
        atLimit: 'A captcha, 403 or 429.',
        keeps: 'unsaid',
        privacy: 'Its privacy policy was not read. It is Russian.',
        sources: ['https://yandex.com/'],
        checked: '2026-11-27',
      },
    },
    cookies: true,
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request: ({ text, language = '', site, excludeSite, page = 1 }) => ({
      url: `${baseUrl}/search/site/?${new URLSearchParams(
        defined({
          tmpl_version: 'releases',
          text: takeCharacters(`${siteWords({ site, excludeSite }, { or: '|' })}${text}`, MAX_QUESTION_CHARS),
          web: '1',
          frame: '1',
          searchid: FORM,
          lang: LANGUAGES.test(language) ? language : undefined,
          // It counts from 0.
          p: page > 1 ? String(page - 1) : undefined,
        }),
      )}`,
      headers: pageHeaders(),
    }),
    parse(body, query) {
      const $ = readHtml(body);
      if ($('[class*="CheckboxCaptcha"], [class*="SmartCaptcha"], form[action*="checkcaptcha"]').length > 0) {
        throw new EngineError('captcha', 'it asks for a captcha');
      }
      const rows = $('li.b-serp-item, li.serp-item').not('[class*="_adv"], [data-fast-name="adv"]').toArray();
      if (rows.length === 0) return emptyPage($, query.text, EMPTY);
      const links = rows.map((row) =>
        $(row).find('a.b-serp-item__title-link, a.OrganicTitle-Link, h2 a, h3 a').first(),
      );
      if (links.every((link) => !link.attr('href'))) {
        throw new EngineError('changed', 'its results have no links: the markup has changed');
      }
      return rows.flatMap((row, at) => {
        const link = links[at];
        const url = pageAddress(link?.attr('href'), 'yandex.com');
        if (!link || !url || /^https?:\/\/(?:yabs\.)?yandex\.ru\//.test(url)) return [];
        const words = $(row)
          .find('.b-serp-item__text, .OrganicTextContentSpan, .TextContainer, [class*="text"]')
          .first();
        return toHits({ url, title: asHtml(link.text()), snippet: asHtml(words.text()) });
      });
    },
  };
}
