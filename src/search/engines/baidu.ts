import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { createGetRequest, formatQuestion, startOfTimeRange } from '../answers/engine-requests.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  readResultPage,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { readHits, readJson } from '../answers/json-answer.ts';
import selectors from '../answers/result-selectors.json' with { type: 'json' };
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Baidu' } as const;
const MAX_QUESTION_CHARS = 100;
const PAGE = 10;

const answer = z.union([
  z.object({ feed: z.object({ entry: z.array(z.unknown()).catch([]) }) }),
  z.object({ antiFlag: z.literal(1) }),
]);
const entry = z.object({
  url: z.string(),
  title: z.string(),
  abs: z.string().nullish().catch(undefined),
  time: z.number().nullish().catch(undefined),
});

/** Baidu, the search engine for Chinese pages. Reads the JSON (`tn=json`) that Baidu's own pages use. */
export const baidu: EngineFactory = ({ baseUrl = 'https://www.baidu.com' } = {}) => ({
  ...describeEngine('baidu'),
  http2: true,
  ...describeRobotRefusals(403),
  request: ({ text, timeRange, site, page = 1 }) =>
    createGetRequest(
      `${baseUrl}/s`,
      {
        wd: formatQuestion({ text, site }, MAX_QUESTION_CHARS),
        rn: PAGE,
        pn: (page - 1) * PAGE,
        tn: 'json',
        gpc:
          timeRange &&
          `stf=${seconds(startOfTimeRange(timeRange))},${seconds(new Date().toISOString())}|stftype=1`,
      },
      pageHeaders(),
    ),
  parse(body, query) {
    if (/wappass\.baidu\.com|安全验证/.test(body)) throw new EngineError('captcha', 'it asks for a captcha');
    if (/^\s*<(?:!|html|head)/i.test(body)) return readResultPage(body, query, RESULT_PAGE, readRow);
    const read = readJson(body, answer, SERVICE);
    if ('antiFlag' in read) throw new EngineError('captcha', 'it refuses what seems to be a robot');
    const entries = read.feed.entry.filter((one) => JSON.stringify(one) !== '{}');
    return readHits(entries, entry, SERVICE, ({ url, title, abs, time }) => ({
      url,
      // The title is text with character references. A `<` in it does not start a tag, so it is escaped.
      title: title.replaceAll('<', '&lt;'),
      snippet: (abs ?? '').replaceAll('<', '&lt;'),
      published: time && time * 1000,
    }));
  },
});

const { words: WORDS, advertisements: ADVERTISEMENTS } = selectors.baidu;
const RESULT_PAGE = {
  rows: ($: CheerioAPI) => $('#content_left > .c-container, #content_left > .result').not(ADVERTISEMENTS),
  captcha: /安全验证/,
  nothing: /抱歉，未找到/,
  sign: '.content_none .nors',
};

/** Reads an HTML row, which Baidu sometimes sends instead of JSON. `mu` contains the page's address. */
function readRow(row: HtmlNodes) {
  const title = row.find('h3').first();
  const link = title.find('a[href]').first();
  const own = /^https?:\/\/(?:nourl\.ubs|www|m)\.baidu\.com\//;
  const url = [row.attr('mu'), link.attr('href')]
    .flatMap((address) => resolveResultLink(address, 'www.baidu.com') ?? [])
    .find((address) => !own.test(address));
  if (!url || link.length === 0) return undefined;
  return { url, title: title.text(), snippet: findFirstMatch(row, WORDS).text() };
}

function seconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
