import { z } from 'zod';
import { searchBoth } from '../src/flows/hybrid.ts';
import { defineOperation } from '../src/operation.ts';
import { numofpages, percentile, renderBody, searchBody, searchWords } from './schemas/web.ts';

export const hybrid = defineOperation({
  name: 'hybrid',
  title: 'Search the web and the knowledge base',
  description:
    "Search the web as search does and the user's knowledge base as query does, in one list. Use when what the user keeps " +
    'may matter beside what the web says; start with percentile 3, numofpages 3.',
  toolset: 'web',
  routes: ['GET /hybrid'],
  effect: 'read',
  openWorld: true,
  scope: 'read',
  input: z.object({ q: searchWords, percentile, numofpages }),
  output: searchBody,
  start: { percentile: 3, numofpages: 3 },
  example: { q: 'how magpies build a nest', percentile: 3, numofpages: 3 },
  run: searchBoth,
  render: renderBody,
});
