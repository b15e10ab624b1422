import { expect } from 'vitest';
import { baidu } from '../../../src/search/engines/baidu.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const feed = (...entry: unknown[]) => JSON.stringify({ feed: { all: 1, entry } });

describeSearchEngine('baidu', {
  make: baidu,
  found: {
    body: feed(
      {
        title: '喜鹊 &amp; 其他',
        url: 'https://baike.example/xique',
        abs: 'A &lt;b&gt; bird',
        time: 1_772_706_030,
      },
      { title: 'Bare', url: 'https://bare.example/', time: 1e300 },
      { title: 'Bad', url: 'javascript:alert(1)' },
      { title: 'no link' },
      {},
    ),
    hits: [
      {
        title: '喜鹊 & 其他',
        url: 'https://baike.example/xique',
        snippet: 'A <b> bird',
        published: 1_772_706_030_000,
      },
      { title: 'Bare', url: 'https://bare.example/', snippet: '' },
    ],
  },
  nothing: { body: feed() },
  paused: {
    'its captcha': { body: '<a href="https://wappass.baidu.com/static/captcha/?x">x</a>' },
    'its words for robots': { body: '{"antiFlag": 1, "message": "Forbid spider access"}' },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another form': { body: '{"results": []}' },
    'results of another form': { body: feed({ a: 1 }) },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/s');
    expect(url.searchParams.get('wd')).toBe('site:nodejs.org magpie nest & "tail feathers" é');
    const [, from = '', to = ''] =
      /^stf=(\d+),(\d+)\|stftype=1$/.exec(url.searchParams.get('gpc') ?? '') ?? [];
    expect(Number(to) - Number(from)).toBe(7 * 86_400);
  },
});
