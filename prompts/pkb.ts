import { definePrompt } from '../src/prompt.ts';
import { questionArgument } from './arguments.ts';

export const pkbPrompt = definePrompt({
  name: 'pkb',
  title: 'Ask the knowledge base',
  description: 'Find texts in the personal knowledge base',
  operation: 'queryUsersKnowledgeBase',
  arguments: [questionArgument],
  after: 'Answer from the matches, best score first.',
});
