import { definePrompt } from '../src/prompt.ts';

export const listPrompt = definePrompt({
  name: 'list',
  title: 'List the commands',
  description: 'List the slash commands',
  operation: 'list',
  arguments: [],
  after: 'Show its text to the user.',
});

export const lsPrompt = definePrompt({ ...listPrompt, name: 'ls' });
