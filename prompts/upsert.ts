import { definePrompt } from '../src/prompt.ts';
import { textArgument } from './arguments.ts';

export const upsertPrompt = definePrompt({
  name: 'upsert',
  title: 'Keep a text',
  description: 'Store text in the personal knowledge base',
  operation: 'upsert',
  arguments: [textArgument],
  after: 'Confirm to the user that it was saved.',
});

export const savetopkbPrompt = definePrompt({
  ...upsertPrompt,
  name: 'savetopkb',
  operation: 'upsertToUsersKnowledgeBase',
});

export const insertPrompt = definePrompt({ ...upsertPrompt, name: 'insert', operation: 'insert' });
