import { definePrompt } from '../src/prompt.ts';

export const pdfloadPrompt = definePrompt({
  name: 'pdfload',
  title: 'Upload a PDF',
  description: 'Show where PDF files are uploaded',
  operation: 'pdfload',
  arguments: [],
  after: 'Show its text to the user, the link above all.',
});
