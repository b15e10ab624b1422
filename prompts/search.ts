import { definePrompt } from '../src/prompt.ts';
import { numofpagesArgument, percentileArgument, questionArgument } from './arguments.ts';

export const searchPrompt = definePrompt({
  name: 'search',
  title: 'Search the web',
  description: 'Search the web and read the leading pages',
  operation: 'search',
  arguments: [questionArgument, percentileArgument, numofpagesArgument],
  after:
    'Answer from the results and cite their links; read the most useful one with browse if more is needed.',
});
