import { z } from 'zod';
import { searchBoth } from '../src/flows/hybrid.ts';
import { defineOperation } from '../src/operation.ts';
import { numofpages, percentile, renderBody, searchBody, searchWords } from './schemas/web.ts';

export const hybrid = defineOperation({
  name: 'hybrid',
  title: 'Search both web and notes',
  description:
    "Checks both what is online and what the user saved: the internet and the user's own notes in one list, to " +
    'compare.',
  toolset: 'web',
  terse: 'both',
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
