import { expect } from 'vitest';
import { marginalia } from '../../../src/search/engines/marginalia.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const RESULT = {
  url: 'https://birds.example/magpie.html',
  title: 'The magpie',
  description: 'A page on\n magpies & Array<b>.',
  quality: 5.2,
  format: 'html5',
  resultsFromDomain: 3,
  details: [[{ keyword: 'magpie', count: 12, flagsUnstableAPI: ['Title', 'Subjects'] }]],
};
const answer = (results: unknown) =>
  JSON.stringify({ license: 'CC-BY-NC-SA 4.0', page: 1, pages: 1, query: 'magpie', results });

const KEY = 'marginalia-marked-secret';

describeSearchEngine('marginalia', {
  make: marginalia,
  key: KEY,
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'https://b.example/', title: null, description: undefined },
      { ...RESULT, url: 'gemini://c.example/' },
      { ...RESULT, url: 7 },
      null,
    ]),
    hits: [
      {
        title: 'The magpie',
        url: 'https://birds.example/magpie.html',
        snippet: 'A page on magpies & Array<b>.',
      },
      { title: 'https://b.example/', url: 'https://b.example/', snippet: '' },
    ],
  },
  nothing: { body: answer([]) },
  paused: { 'the limit of its key': { status: 503, body: '' }, '429': { status: 429, body: '' } },
  changed: {
    'a page': { body: '<!DOCTYPE html><title>Marginalia</title>' },
    'no results member': { body: '{"license":"x","query":"magpie"}' },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'null for a time-out': { body: 'null' },
  },
  refused: {
    'a key that no longer exists': { status: 401, body: '', says: 'check MARGINALIA_API_KEY (401)' },
    'no time': { status: 504, body: 'null', says: 'did not find enough in time' },
  },
  checkRequest({ url, headers }) {
    expect(url.pathname).toBe('/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      query: 'site:nodejs.org magpie nest & "tail feathers" é',
      count: '10',
      nsfw: '1',
    });
    expect(headers['api-key']).toBe(KEY);
  },
});
