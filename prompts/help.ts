import { definePrompt } from '../src/prompt.ts';

export const helpPrompt = definePrompt({
  name: 'help',
  title: 'How to use Magpie',
  description: 'Explain how to use Magpie',
  operation: 'help',
  arguments: [],
  after: 'Show its text to the user.',
});
