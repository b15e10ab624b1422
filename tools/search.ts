import { z } from 'zod';
import { searchAndRead } from '../src/flows/searching/search-and-read.ts';
import { searchBody } from '../src/flows/searching/search-body.ts';
import { defineOperation } from '../src/operation.ts';
import {
  answerWords,
  filters,
  maxAnswerWordsParameter,
  renderBody,
  resultCountParameter,
  resultPageParameter,
  searchWords,
  textReductionParameter,
} from './schemas/web.ts';

const input = z.object({
  q: searchWords,
  percentile: textReductionParameter,
  numofpages: resultCountParameter,
  inputwindowwords: answerWords,
  ...filters,
  paging: resultPageParameter,
});

const shared = {
  hasLargeAnswer: true,
  toolset: 'web',
  effect: 'read',
  openWorld: true,
  scope: 'read',
  output: searchBody,
  render: renderBody,
} as const;

export const search = defineOperation({
  ...shared,
  name: 'search',
  title: 'Search the web',
  description:
    'Searches the web and returns the text of the leading pages, cut down to what answers q, with links. ' +
    'Use ultrafastsearch for links alone; use browse for a known address. If it fails, double percentile ' +
    'and numofpages.',
  essential: true,
  terse: 'output',
  unlisted: ['inputwindowwords', 'paging'],
  routes: ['GET /search'],
  input,
  run: searchAndRead,
  start: { percentile: 3, numofpages: 3 },
  helpName: 'searchAndBrowse',
  example: { q: 'how do magpies recognise themselves', percentile: 3, numofpages: 3 },
});

export const searchgiant = defineOperation({
  ...shared,
  name: 'searchgiant',
  family: 'search',
  title: 'Deep web research',
  description:
    'Searches as search does, for research in depth: returns whole texts of more pages, together at most ' +
    'inputwindowwords words.',
  unlisted: ['paging', ...Object.keys(filters)],
  routes: ['GET /searchgiant'],
  input: input.extend({ inputwindowwords: maxAnswerWordsParameter }),
  slow: true,
  run: (wanted, ctx) => searchAndRead({ ...wanted, wholeTexts: true }, ctx),
  start: { percentile: 1, numofpages: 10, inputwindowwords: 50_000 },
  example: {
    q: 'history of the magpie in folklore',
    percentile: 1,
    numofpages: 10,
    inputwindowwords: 50_000,
  },
});
