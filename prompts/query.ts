import { definePrompt } from '../src/prompt.ts';
import { questionArgument } from './arguments.ts';

export const queryPrompt = definePrompt({
  name: 'query',
  title: 'Ask the knowledge base',
  description: 'Find texts in the personal knowledge base',
  operation: 'query',
  arguments: [questionArgument],
  after: 'Answer from the matches, best score first.',
});

export const queryPkbPrompt = definePrompt({
  ...queryPrompt,
  name: 'pkb',
  operation: 'queryUsersKnowledgeBase',
});
