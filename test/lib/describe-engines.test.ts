import { expect, test } from 'vitest';
import {
  describeEngineAccess,
  describeEngineRefusal,
  describeEngineTerms,
  describeQuestionReceiver,
  describeQuestionReceivers,
} from '../../src/lib/describe-engines.ts';
import { wrapWords } from '../../src/lib/text/wrap-words.ts';

const TAVILY = { title: 'Tavily', host: 'api.tavily.com', access: 'official' } as const;

test('each kind of refusal has a text, and an unknown kind is described as no answer', () => {
  const kinds = ['captcha', 'rate_limited', 'changed', 'refused', 'slow', 'network', 'nothing', undefined];
  expect(kinds.map(describeEngineRefusal)).toEqual([
    'captcha',
    'limit reached',
    'changed answer',
    'refused',
    'too slow',
    'not reached',
    'found nothing',
    'no answer',
  ]);
});

test('a description names who gets the question, what is kept, and how the engine is asked', () => {
  expect(describeQuestionReceiver({ ...TAVILY, keeps: 'question' })).toBe(
    'Tavily (api.tavily.com) gets the question. It may keep it.',
  );
  expect(describeQuestionReceiver({ ...TAVILY, host: '', keeps: 'nothing' })).toBe(
    'Tavily gets the question. It says that it keeps nothing of it.',
  );
  expect(describeQuestionReceiver(TAVILY)).toContain('What it keeps of it is not known.');
  expect(describeEngineAccess(TAVILY)).toContain('interface for programs');
  expect(describeEngineAccess({ access: 'page' })).toContain('page for browsers');
});

test('limits and terms are one sentence each, and unknown facts are left out', () => {
  const facts = {
    limits: '1,000 an hour.',
    atLimit: '429',
    withKey: '2,000 a month, free',
    privacy: 'a month',
  };
  expect(describeEngineTerms({ ...TAVILY, ...facts })).toEqual([
    'Without a key: 1,000 an hour.',
    'At that limit: 429.',
    'With a key: 2,000 a month, free.',
    'What it keeps: a month.',
  ]);
  expect(describeEngineTerms(TAVILY)).toEqual([]);
});

test('receivers of a question are listed as services first, then result pages, then services of a field', () => {
  const engine = (title: string, access: 'official' | 'page', general = true) => ({
    about: { title, host: '', access, general },
  });
  const service = { about: { ...engine('Tavily', 'official').about, withKey: 'more' } };
  const pages = [engine('Brave', 'page'), engine('Yahoo', 'page')];
  const field = engine('arXiv', 'official', false);
  const [all = '', cost, change] = describeQuestionReceivers([...pages, service, field]);
  expect(all).toBe(
    'A question goes to Tavily. Where that is not enough, it goes to Brave and Yahoo, whose result ' +
      'pages are read as a browser does. A question about code, papers, news or places also goes to those of 1 service that fit it.',
  );
  expect(cost).toMatch(/^Without a key all of it costs nothing/);
  expect(change).toContain('MAGPIE_SEARCH_PRIVACY=keeps-nothing');
  expect(describeQuestionReceivers(pages)[0]).toBe(
    'A question goes to Brave and Yahoo, whose result pages are read as a browser does.',
  );
  expect(describeQuestionReceivers(pages)[1]).toBe('All of it costs nothing and needs no account.');
  expect(describeQuestionReceivers([])).toEqual([expect.stringContaining('kept on this machine')]);
});

test('lines are filled up to the width, and a longer word is on a line of its own', () => {
  expect(wrapWords('one two three', 9, '  ')).toEqual(['  one two', '  three']);
  expect(wrapWords('see https://example.org/long now', 10)).toEqual([
    'see',
    'https://example.org/long',
    'now',
  ]);
  expect(wrapWords(' ', 10)).toEqual([]);
});
