import { z } from 'zod';
import { searchBody } from '../src/flows/searching/search-body.ts';
import { searchWebAndKnowledge } from '../src/flows/searching/web-and-knowledge.ts';
import { defineOperation, listedFields } from '../src/operation.ts';
import {
  collection,
  speaker,
  timeParameter,
  toMicroseconds,
  weakMatchesNoteField,
} from './schemas/knowledge.ts';
import {
  answerWords,
  filters,
  renderBody,
  resultCountParameter,
  searchWords,
  textReductionParameter,
} from './schemas/web.ts';

export const hybrid = defineOperation({
  name: 'hybrid',
  title: 'Search both web and notes',
  description:
    "Searches the web and the user's saved notes and files at once, and returns one list. Use search for " +
    'the web alone; use query for notes alone.',
  toolset: 'web',
  hasLargeAnswer: true,
  terse: 'both',
  routes: ['GET /hybrid'],
  effect: 'read',
  openWorld: true,
  scope: 'read',
  input: z.object({
    q: searchWords,
    percentile: textReductionParameter,
    numofpages: resultCountParameter,
    collection: collection.describe('Collection of notes. Default all'),
    since: timeParameter('Only notes saved at or after'),
    until: timeParameter('Only notes saved before'),
    speaker: speaker.describe('Only notes said by this person'),
    inputwindowwords: answerWords,
    ...filters,
  }),
  unlisted: ['since', 'until', 'speaker', 'inputwindowwords', ...Object.keys(filters)],
  output: searchBody
    .extend({ note: weakMatchesNoteField })
    .register(listedFields, { fields: ['results', 'rules'] }),
  start: { percentile: 3, numofpages: 3 },
  example: { q: 'how magpies build a nest', percentile: 3, numofpages: 3 },
  run: ({ collection: of, since, until, speaker: who, ...web }, ctx) => {
    const filter = {
      collection: of,
      since: since ? toMicroseconds(since) : undefined,
      until: until ? toMicroseconds(until) : undefined,
    };
    return searchWebAndKnowledge({ ...web, kept: { filter, speaker: who } }, ctx);
  },
  render: renderBody,
});
