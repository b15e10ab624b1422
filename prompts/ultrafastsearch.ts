import { definePrompt } from '../src/prompt.ts';
import { numofpagesArgument, percentileArgument, questionArgument } from './arguments.ts';

export const ultrafastsearchPrompt = definePrompt({
  name: 'ultrafastsearch',
  title: 'Quick web search',
  description: 'Ten links with short extracts, without reading a page',
  operation: 'ultrafastsearch',
  arguments: [questionArgument, percentileArgument, numofpagesArgument],
  after: 'Answer from the extracts and cite the links.',
});
