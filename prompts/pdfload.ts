import { definePrompt } from '../src/prompt.ts';

export const pdfloadPrompt = definePrompt({
  name: 'pdfload',
  title: 'Upload a file',
  description: 'Show where files are uploaded',
  operation: 'pdfload',
  arguments: [],
  after: 'Show its text to the user, the link above all.',
});
