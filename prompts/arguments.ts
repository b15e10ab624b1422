import { completeFrom, type PromptArgument } from '../src/prompt.ts';

export const percentileArgument: PromptArgument = {
  name: 'percentile',
  description: 'How much text to cut, 1 to 100: a higher value yields less',
  complete: completeFrom(['1', '3', '10', '25', '50', '75', '90', '100']),
};

export const numofpagesArgument: PromptArgument = {
  name: 'numofpages',
  description: 'How many results or parts, 1 to 10',
  complete: completeFrom(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']),
};

export const fileQuestionArgument: PromptArgument = {
  name: 'q',
  description: 'What to search for',
  required: true,
  async complete(value, { caller, services }) {
    const documents = await services.documents();
    const typed = value.toLowerCase();
    const names = (await documents.listDocuments(caller.id)).map(({ name }) => name);
    const begins = (name: string) => name.toLowerCase().startsWith(typed);
    return [
      ...names.filter(begins),
      ...names.filter((name) => !begins(name) && name.toLowerCase().includes(typed)),
    ];
  },
};

export const addressArgument: PromptArgument = {
  name: 'q',
  description: 'Address of the page',
  required: true,
  async complete(value, { caller, services }) {
    const search = await services.search();
    const { pages } = await search.listRecentPages(caller.id, 500);
    return pages.map(({ url }) => url).filter((url) => url.startsWith(value) || url.includes(`://${value}`));
  },
};

export const textArgument: PromptArgument = { name: 'q', description: 'The text to keep', required: true };

export const questionArgument: PromptArgument = {
  name: 'q',
  description: 'What to search for',
  required: true,
};
