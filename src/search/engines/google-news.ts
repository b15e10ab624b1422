import { resolveMarket } from '../answers/engine-regions.ts';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import { toHits } from '../answers/hit.ts';
import { readHtml } from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import { acceptLanguage } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const SINCE = { day: '1d', week: '7d', month: '31d', year: '1y' } as const;

/** Google News as an RSS feed. Its links lead to an article only in a browser. */
export const googleNews: EngineFactory = ({ baseUrl = 'https://news.google.com' } = {}) => ({
  ...describeEngine('google-news'),
  pauses: [503],
  request: ({ text, language, region, timeRange, site, excludeSite }) => {
    const { language: hl, country } = resolveMarket(language, region) ?? { language: 'en', country: 'US' };
    const since = timeRange ? ` when:${SINCE[timeRange]}` : '';
    const words = formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS);
    return createGetRequest(
      `${baseUrl}/rss/search`,
      { q: `${words}${since}`, hl: `${hl}-${country}`, gl: country, ceid: `${country}:${hl}` },
      { accept: 'application/rss+xml', 'accept-language': acceptLanguage(language, region) },
    );
  },
  parse(body) {
    const $ = readHtml(body, { xml: true });
    if ($('rss > channel').length === 0) {
      if (/unusual traffic|\/sorry\//.test(body)) throw new EngineError('captcha', 'it asks for a captcha');
      throw new EngineError('changed', 'its answer is not what Google News answers');
    }
    const items = $('rss > channel > item').toArray();
    const hits = items.flatMap((item) => {
      const text = (name: string) => $(item).children(name).first().text().trim();
      const source = text('source');
      const home = $(item).children('source').first().attr('url');
      const title = source ? text('title').replace(` - ${source}`, '') : text('title');
      return toHits({
        url: text('link'),
        title: escapeHtmlText(title),
        snippet: escapeHtmlText(source),
        site: escapeHtmlText(source),
        home,
        published: text('pubDate'),
      });
    });
    if (items.length > 0 && hits.length === 0) {
      throw new EngineError('changed', 'its items are not what Google News answers');
    }
    return hits;
  },
});
