import { definePrompt } from '../src/prompt.ts';
import { fileQuestionArgument } from './arguments.ts';

export const pdfsearchPrompt = definePrompt({
  name: 'pdfsearch',
  title: 'Ask the uploaded files',
  description: 'Find passages in the personal knowledge base and the uploaded files',
  operation: 'pdfsearch',
  arguments: [fileQuestionArgument],
  after:
    'Answer from the matches, and name file and page. Where the user names one file, call it with its name as source.',
});
