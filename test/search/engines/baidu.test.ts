import { expect, test } from 'vitest';
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

test('the HTML page of Baidu is read where it replaces JSON', () => {
  const row = (mu: string, title: string, more = '') =>
    `<div class="result c-container xpath-log new-pmd" tpl="www_index" mu="${mu}" ${more}><h3 class="c-title t"><a href="http://www.baidu.com/link?url=x">${title}</a></h3>
    <div class="c-row"><span class="content-right_8Zs40">词 &amp; 语</span></div></div>`;
  const page = (rows: string) =>
    `<!DOCTYPE html><html><body><div id="content_left">${rows}</div></body></html>`;
  const query = { text: 'x', limit: 10 };
  const rows =
    row('https://ad.example/', '广告', 'data-placeid="1"') +
    row('https://baike.baidu.com/item/1', '喜鹊') +
    row('http://nourl.ubs.baidu.com/1', '翻译') +
    '<div class="result-op c-container" mu="https://more.example/"><div>大家还在搜</div></div>';
  expect(baidu().parse(page(rows), query)).toEqual([
    { title: '喜鹊', url: 'https://baike.baidu.com/item/1', snippet: '词 & 语' },
  ]);
  const none = '<div class="content_none"><div class="nors"><p>抱歉，未找到相关结果。</p></div></div>';
  expect(baidu().parse(page(none), query)).toEqual([]);
  expect(() => baidu().parse(page(row('', '')), query)).toThrow('changed');
});
