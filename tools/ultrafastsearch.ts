import { z } from 'zod';
import { searchOnly } from '../src/flows/search-and-read.ts';
import { defineOperation } from '../src/operation.ts';
import { filters, numofpages, percentile, renderBody, searchBody, searchWords } from './schemas/web.ts';

export const ultrafastsearch = defineOperation({
  name: 'ultrafastsearch',
  title: 'Search the web quickly',
  description:
    'Ten links with short extracts from several engines, without reading a page. Use to look something up or to choose what to ' +
    'browse; percentile 100, numofpages 10. Read the best link with browse.',
  toolset: 'web',
  essential: true,
  routes: ['GET /ultrafastsearch'],
  effect: 'read',
  openWorld: true,
  scope: 'read',
  input: z.object({ q: searchWords, percentile, numofpages, ...filters }),
  output: searchBody,
  start: { percentile: 100, numofpages: 10 },
  helpName: 'ultraFastSearch',
  example: { q: 'magpie intelligence', percentile: 100, numofpages: 10 },
  run: searchOnly,
  render: renderBody,
});
