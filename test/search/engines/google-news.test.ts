import { expect } from 'vitest';
import { googleNews } from '../../../src/search/engines/google-news.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const item = (link: string, title: string, source = '', date = 'Thu, 05 Mar 2026 10:20:30 GMT') =>
  `<item><title>${title}</title><link>${link}</link><guid isPermaLink="false">CB</guid><pubDate>${date}</pubDate>
  <description>&lt;a href="x"&gt;${title}&lt;/a&gt;</description>${source && `<source url="https://n.example">${source}</source>`}</item>`;
const feed = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>"magpie" - Google News</title>${items}</channel></rss>`;

describeSearchEngine('google-news', {
  make: googleNews,
  found: {
    body: feed(
      item(
        'https://news.google.com/rss/articles/CBM1?oc=5',
        'Magpies &amp; others - The Paper',
        'The Paper',
      ) +
        item('https://news.google.com/rss/articles/CBM2', 'Without a paper', '', 'soon') +
        item('javascript:alert(1)', 'Bad'),
    ),
    hits: [
      {
        title: 'Magpies & others',
        url: 'https://news.google.com/rss/articles/CBM1?oc=5',
        snippet: 'The Paper',
        site: 'The Paper',
        host: 'n.example',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'Without a paper', url: 'https://news.google.com/rss/articles/CBM2', snippet: '' },
    ],
  },
  nothing: { body: feed('') },
  paused: {
    'its page for robots': { body: '<html>unusual traffic <a href="/sorry/index"></a></html>' },
    'its page for robots with a status': { status: 503, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'a page': { body: '<html><body>news</body></html>' },
    'items without addresses': { body: feed('<item><title>x</title></item>') },
    'an empty body': { body: '' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/rss/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'site:nodejs.org magpie nest & "tail feathers" é when:7d',
      hl: 'de-AT',
      gl: 'AT',
      ceid: 'AT:de',
    });
  },
});
