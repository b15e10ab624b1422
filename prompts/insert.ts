import { definePrompt } from '../src/prompt.ts';
import { textArgument } from './arguments.ts';

export const insertPrompt = definePrompt({
  name: 'insert',
  title: 'Keep a text',
  description: 'Store text in the personal knowledge base',
  operation: 'insert',
  arguments: [textArgument],
  after: 'Confirm to the user that it was saved.',
});
