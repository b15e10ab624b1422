import { expect, test } from 'vitest';
import { github } from '../../../src/search/engines/github.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** A repository as the API gives it, without the many addresses. */
const repository = (more: object) => ({
  id: 1,
  node_id: 'R_1',
  name: 'magpie',
  full_name: 'pica/magpie',
  private: false,
  owner: { login: 'pica', id: 2, html_url: 'https://github.com/pica' },
  html_url: 'https://github.com/pica/magpie',
  description: 'Collects & sorts Vec<b> shiny things',
  fork: false,
  url: 'https://api.github.com/repos/pica/magpie',
  created_at: '2020-01-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  pushed_at: '2026-03-05T10:20:30Z',
  homepage: 'https://magpie.example',
  stargazers_count: 42,
  language: 'Rust',
  topics: ['birds', 'nest'],
  license: { key: 'mit', spdx_id: 'MIT' },
  score: 1,
  ...more,
});
const answer = (items: unknown) => JSON.stringify({ total_count: 2, incomplete_results: false, items });
const fault = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ message, documentation_url: 'https://docs.github.com/rest' }),
});

describeSearchEngine('github', {
  make: github,
  found: {
    body: answer([
      repository({}),
      repository({
        html_url: 'https://github.com/b/b',
        full_name: 'b/b',
        description: null,
        language: null,
        topics: null,
        pushed_at: null,
      }),
      repository({ html_url: null }),
      null,
    ]),
    hits: [
      {
        title: 'pica/magpie',
        url: 'https://github.com/pica/magpie',
        snippet: 'Collects & sorts Vec<b> shiny things Rust, 42 stars, birds, nest',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'b/b', url: 'https://github.com/b/b', snippet: '42 stars' },
    ],
  },
  nothing: { body: JSON.stringify({ total_count: 0, incomplete_results: false, items: [] }) },
  paused: {
    'the limit of a minute': fault(
      403,
      "API rate limit exceeded for 203.0.113.7. (But here's the good news: ...)",
    ),
    'the second limit': fault(
      403,
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    ),
    '429': fault(429, 'Too many requests'),
  },
  changed: {
    'a page': { body: '<!DOCTYPE html><html></html>' },
    'no items': { body: '{"total_count":1}' },
    'items of another shape': { body: answer([{ path: 'x' }]) },
    'a refusal that is not JSON': { status: 403, body: 'Forbidden' },
  },
  refused: {
    'a question that it does not take': { ...fault(422, 'Validation Failed'), says: 'Validation Failed' },
    'a closed door': {
      ...fault(403, 'Request forbidden by administrative rules.'),
      says: 'Request forbidden',
    },
  },
  checkRequest({ url, headers }) {
    expect(url.pathname).toBe('/search/repositories');
    const [words, since = ''] = (url.searchParams.get('q') ?? '').split(' pushed:>=');
    expect(words).toBe('magpie nest & tail feathers é');
    const days = (Date.now() - Date.parse(since)) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8.1);
    expect(url.searchParams.get('per_page')).toBe('10');
    expect(headers.accept).toBe('application/vnd.github+json');
    expect(headers['x-github-api-version']).toBe('2022-11-28');
  },
});

test.each([
  ['rust AND NOT user:pica', 'rust not user pica'],
  ['How do I parse YAML in Rust?', 'parse YAML Rust'],
  ['"x y" stars:>10', 'x y stars 10'],
  ['x'.repeat(300), 'x'.repeat(256)],
])('%j is searched as words', (text, asked) => {
  expect(new URL(github().request({ text, limit: 1 }).url).searchParams.get('q')).toBe(asked);
});
