import { z } from 'zod';
import { searchAndRead } from '../src/flows/search-and-read.ts';
import { defineOperation } from '../src/operation.ts';
import {
  filters,
  inputwindowwords,
  numofpages,
  percentile,
  renderBody,
  searchBody,
  searchWords,
} from './schemas/web.ts';

const shared = {
  toolset: 'web',
  effect: 'read',
  openWorld: true,
  scope: 'read',
  output: searchBody,
  run: searchAndRead,
  render: renderBody,
} as const;

export const search = defineOperation({
  ...shared,
  name: 'search',
  title: 'Search the web',
  description:
    'Search the web and read the leading pages: summaries of five, full text of three. Use for questions on current or ' +
    'checkable facts; start with percentile 3, numofpages 3. On a timeout or an error, double both.',
  essential: true,
  routes: ['GET /search'],
  input: z.object({ q: searchWords, percentile, numofpages, ...filters }),
  start: { percentile: 3, numofpages: 3 },
  helpName: 'searchAndBrowse',
  example: { q: 'how do magpies recognise themselves', percentile: 3, numofpages: 3 },
});

export const searchgiant = defineOperation({
  ...shared,
  name: 'searchgiant',
  family: 'search',
  title: 'Search the web under a word budget',
  description:
    'Like search, for research with a large input window: all texts together stay under inputwindowwords. ' +
    'Start with percentile 1, numofpages 10; if the answer is too large, halve inputwindowwords.',
  routes: ['GET /searchgiant'],
  input: z.object({ q: searchWords, percentile, numofpages, inputwindowwords, ...filters }),
  start: { percentile: 1, numofpages: 10, inputwindowwords: 50_000 },
  example: {
    q: 'history of the magpie in folklore',
    percentile: 1,
    numofpages: 10,
    inputwindowwords: 50_000,
  },
});
