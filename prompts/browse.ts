import { definePrompt } from '../src/prompt.ts';
import { addressArgument, numofpagesArgument, percentileArgument } from './arguments.ts';

export const browsePrompt = definePrompt({
  name: 'browse',
  title: 'Read a page',
  description: 'Read a web page, PDF or feed',
  operation: 'browse',
  arguments: [addressArgument, percentileArgument, numofpagesArgument],
  after: 'Summarize for the user what the page says; raise paging to read on.',
});
