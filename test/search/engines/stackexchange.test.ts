import { expect, test } from 'vitest';
import { stackexchange } from '../../../src/search/engines/stackexchange.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** A question as `/search/advanced` with the filter `withbody` gives it. */
const question = (more: object) => ({
  tags: ['node.js', 'stream'],
  owner: { account_id: 1, reputation: 10, user_id: 2, user_type: 'registered', display_name: 'pica' },
  is_answered: true,
  view_count: 1200,
  accepted_answer_id: 9,
  answer_count: 3,
  score: 12,
  last_activity_date: 1772706030,
  creation_date: 1772706030,
  question_id: 8,
  content_license: 'CC BY-SA 4.0',
  link: 'https://stackoverflow.com/questions/8/how-to-pipe-a-magpie',
  title: 'How to pipe a &quot;magpie&quot; into Array&lt;string&gt;?',
  body: '<p>I have <code>a &amp;&amp; b</code></p>\n<pre><code>x\n</code></pre>',
  ...more,
});
const answer = (items: unknown, more: object = {}) =>
  JSON.stringify({ items, has_more: false, quota_max: 300, quota_remaining: 299, ...more });
const fault = (id: number, name: string, message: string) => ({
  status: 400,
  body: JSON.stringify({ error_id: id, error_name: name, error_message: message }),
});

describeSearchEngine('stackexchange', {
  make: stackexchange,
  found: {
    body: answer(
      [
        question({}),
        question({
          link: 'https://stackoverflow.com/questions/9/x',
          title: 'X',
          body: null,
          tags: 'none',
          is_answered: false,
          answer_count: 1,
          creation_date: null,
        }),
        question({ link: 'javascript:alert(1)' }),
        question({ title: 7 }),
        null,
      ],
      { backoff: 10 },
    ),
    hits: [
      {
        title: 'How to pipe a "magpie" into Array<string>?',
        url: 'https://stackoverflow.com/questions/8/how-to-pipe-a-magpie',
        snippet: '[node.js, stream] 3 answers, one of them good. I have a && b x',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'X', url: 'https://stackoverflow.com/questions/9/x', snippet: '[] 1 answer.' },
    ],
  },
  nothing: { body: answer([]) },
  paused: {
    'the day is used up': fault(
      502,
      'throttle_violation',
      'too many requests from this IP, more requests available in 84606 seconds',
    ),
    '429': { status: 429, body: '' },
  },
  changed: {
    'a page': { body: '<!DOCTYPE html><html></html>' },
    'no items': { body: '{"has_more":false}' },
    'items of another shape': { body: answer([{ id: 1 }]) },
    'an error that is not JSON': { status: 400, body: 'Bad Request' },
  },
  refused: {
    'a bad parameter': {
      ...fault(400, 'bad_parameter', 'pagesize'),
      says: 'it refuses the question: pagesize',
    },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/2.3/search/advanced');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      q: 'magpie nest & "tail feathers" é',
      site: 'stackoverflow',
      sort: 'relevance',
      pagesize: '10',
      filter: 'withbody',
    });
    const since = Number(url.searchParams.get('fromdate'));
    expect(Math.abs(Date.now() / 1000 - since - 7 * 86_400)).toBeLessThan(120);
  },
});

test('the wait that Stack Exchange names is kept', () => {
  const { body } = fault(502, 'throttle_violation', 'more requests available in 84606 seconds');
  expect(() => stackexchange().parse(body, { text: 'x', limit: 1 })).toThrow(
    expect.objectContaining({ kind: 'rate_limited', wait: 84_606_000 }),
  );
});

test('words without meaning are left out, because Stack Exchange requires every word', () => {
  const { url } = stackexchange().request({ text: 'how do I  pipe a stream?', limit: 1 });
  expect(new URL(url).searchParams.get('q')).toBe('pipe stream?');
});
