import { definePrompt } from '../src/prompt.ts';

export const lsPrompt = definePrompt({
  name: 'ls',
  title: 'List the commands',
  description: 'List the slash commands',
  operation: 'list',
  arguments: [],
  after: 'Show its text to the user.',
});
