import { z } from 'zod';
import { searchSnippets } from '../src/flows/searching/search-and-read.ts';
import { searchBody } from '../src/flows/searching/search-body.ts';
import { defineOperation } from '../src/operation.ts';
import {
  filters,
  renderBody,
  resultCountParameter,
  resultPageParameter,
  searchWords,
  textReductionParameter,
  topicOrPictures,
} from './schemas/web.ts';

export const ultrafastsearch = defineOperation({
  name: 'ultrafastsearch',
  title: 'Quick web search',
  description:
    'Searches the web and returns links with short extracts, without opening a page: for a quick fact or ' +
    'a choice of links, or for pictures with the topic images. Read a link with browse; use search for the text of pages.',
  toolset: 'web',
  terse: 'both',
  essential: true,
  unlisted: ['paging', ...Object.keys(filters)],
  routes: ['GET /ultrafastsearch'],
  effect: 'read',
  openWorld: true,
  scope: 'read',
  input: z.object({
    q: searchWords,
    percentile: textReductionParameter,
    numofpages: resultCountParameter,
    ...filters,
    topic: topicOrPictures,
    paging: resultPageParameter,
  }),
  output: searchBody,
  start: { percentile: 100, numofpages: 10 },
  helpName: 'ultraFastSearch',
  example: { q: 'magpie intelligence', percentile: 100, numofpages: 10 },
  run: searchSnippets,
  render: renderBody,
});
