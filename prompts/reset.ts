import { definePrompt } from '../src/prompt.ts';

export const resetPrompt = definePrompt({
  name: 'reset',
  title: 'Empty the knowledge base',
  description: 'Delete everything in the personal knowledge base',
  operation: 'reset',
  arguments: [],
  before:
    "This deletes all of the user's entries. Ask the user to confirm, and go on only after a clear yes.",
  after: 'Report the result to the user, and until when and how it can be undone.',
});

export const resetKnowledgeBasePrompt = definePrompt({
  ...resetPrompt,
  name: 'resetKnowledgeBase',
  operation: 'resetUsersKnowledgeBase',
});
