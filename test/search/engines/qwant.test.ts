import { expect, test } from 'vitest';
import { qwant } from '../../../src/search/engines/qwant.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const success = (items: unknown) =>
  JSON.stringify({ status: 'success', data: { query: {}, result: { items } } });
const failed = (error_code: number) => ({
  status: 403,
  body: JSON.stringify({ status: 'error', data: { error_code } }),
});

describeSearchEngine('qwant', {
  make: qwant,
  found: {
    body: success({
      mainline: [
        { type: 'ads', items: [{ url: 'https://ad.example/', title: 'Buy' }] },
        {
          type: 'web',
          items: [
            {
              url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
              title: 'Magpie & <others>',
              desc: 'A bird.',
            },
            { url: 'https://bare.example/' },
            { url: 'javascript:alert(1)', title: 'Bad' },
            { title: 'no link' },
          ],
        },
        { type: 'images', items: [{ url: 'https://i.example/' }] },
      ],
    }),
    hits: [
      { title: 'Magpie & <others>', url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2', snippet: 'A bird.' },
      { title: 'https://bare.example/', url: 'https://bare.example/', snippet: '' },
    ],
  },
  nothing: { body: success({ mainline: [] }) },
  paused: {
    'its number for too often': failed(24),
    'its number for a captcha': failed(27),
    'its page without a service': {
      body: '<!doctype html><html><head><title>Service unavailable</title></head></html>',
    },
    'its guard': { status: 403, body: '{"url": "https://geo.captcha-delivery.com/captcha/?x=1"}' },
    'the page of its guard': {
      status: 403,
      body: '<html><script src="https://ct.captcha-delivery.com/c.js"></script></html>',
    },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another form': { body: '{"status": "success", "data": {"items": []}}' },
    'results of another form': { body: success({ mainline: [{ type: 'web', items: [{ link: 'x' }] }] }) },
    'results without addresses of pages': {
      body: success({ mainline: [{ type: 'web', items: [{ url: '/x', title: 'A' }] }] }),
    },
    'no JSON': { body: '<html></html>' },
  },
  refused: { 'a question that it does not take': { ...failed(1), says: 'its error 1' } },
  parts: {
    news: {
      path: '/v3/search/news',
      found: {
        body: success([
          {
            url: 'https://n.example/1',
            title: 'Magpies',
            desc: 'Words',
            date: 1_772_706_030,
            media: [{ pict: {} }],
          },
        ]),
        hits: [
          { title: 'Magpies', url: 'https://n.example/1', snippet: 'Words', published: 1_772_706_030_000 },
        ],
      },
      nothing: { body: success([]) },
      changed: { body: success([{ a: 1 }]) },
    },
    images: {
      path: '/v3/search/images',
      found: {
        body: success([
          { url: 'https://i.example/page', title: 'A magpie', media: 'https://i.example/a.jpg' },
        ]),
        hits: [
          { title: 'A magpie', url: 'https://i.example/page', snippet: '', image: 'https://i.example/a.jpg' },
        ],
      },
      nothing: { body: success([]) },
      changed: { body: success(7) },
    },
  },
  checkRequest({ method, url, headers }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/v3/search/web');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      q: 'site:nodejs.org magpie nest & "tail feathers" é',
      locale: 'de_AT',
      count: '10',
      offset: '0',
    });
    expect(headers).toMatchObject({
      origin: 'https://www.qwant.com',
      referer: 'https://www.qwant.com/',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-site',
    });
  },
});

test.each([
  [{}, 'en_US'],
  [{ language: 'fr' }, 'fr_FR'],
  [{ language: 'fr', region: 'DE' }, 'de_DE'],
  [{ region: 'AQ' }, 'en_US'],
])('%j is written as locale %s', (query, locale) => {
  expect(new URL(qwant().request({ text: 'x', limit: 1, ...query }).url).searchParams.get('locale')).toBe(
    locale,
  );
});
