import { z } from 'zod';
import { browsePage } from '../src/flows/browse.ts';
import { defineOperation } from '../src/operation.ts';
import { inputwindowwords, pageAddress, percentile, renderBody, searchBody } from './schemas/web.ts';

const numofpages = z.int().min(1).max(10).describe('How many parts');
const paging = z.int().min(1).optional().describe('First part, from 1; raise it to read on');
const section = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .optional()
  .describe('Only the section of this heading or outline number');
const links = z.boolean().optional().describe('List the links too');

const shared = {
  toolset: 'web',
  effect: 'read',
  openWorld: true,
  scope: 'read',
  output: searchBody,
  run: browsePage,
  render: renderBody,
} as const;
const input = z.object({ q: pageAddress, percentile, numofpages, paging, section, links });
const start = { percentile: 1, numofpages: 1 };
const example = { q: 'https://example.com/', percentile: 1, numofpages: 1 };

export const browse = defineOperation({
  ...shared,
  name: 'browse',
  terse: 'output',
  title: 'Open a website or link',
  description:
    'Opens a link, URL, PDF or article, or goes to a website, and reads its text. Raise paging for the next ' +
    'part. If the answer is too large or slow, double percentile.',
  essential: true,
  routes: ['GET /browse'],
  input,
  start,
  example,
});

export const browsegiant = defineOperation({
  ...shared,
  name: 'browsegiant',
  family: 'browse',
  title: 'Read a long web page',
  description:
    'Read a whole long page or article, as browse does; all parts together stay under inputwindowwords.',
  unlisted: ['section', 'links'],
  routes: ['GET /browsegiant'],
  input: input.extend({ inputwindowwords }),
  start: { ...start, inputwindowwords: 50_000 },
  example: { ...example, inputwindowwords: 50_000 },
});

export const browseByUrl = defineOperation({
  ...shared,
  name: 'browseByUrl',
  family: 'browse',
  title: 'Read a URL',
  description: 'Summarize or read the article at an https address, as browse does.',
  unlisted: ['section', 'links'],
  routes: ['GET /browseByUrl'],
  input,
  start,
  helpName: 'browseByUrl',
  example,
});
