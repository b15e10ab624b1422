import { definePrompt } from '../src/prompt.ts';
import { textArgument } from './arguments.ts';

export const savetopkbPrompt = definePrompt({
  name: 'savetopkb',
  title: 'Keep a text',
  description: 'Store text in the personal knowledge base',
  operation: 'upsertToUsersKnowledgeBase',
  arguments: [textArgument],
  after: 'Confirm to the user that it was saved.',
});
