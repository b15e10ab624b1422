import { z } from 'zod';
import { connectorSearch } from '../../src/flows/connector/connector-search.ts';
import { defineOperation, type Operation } from '../../src/operation.ts';

const output = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
});

/** Searches for ChatGPT, for which OpenAI defines the tool's name, parameter and output. */
export function connectorSearchTool(withWeb: boolean): Operation {
  return defineOperation({
    name: 'search',
    title: withWeb ? 'Search notes, files and the web' : 'Search notes and files',
    description: withWeb
      ? "Finds the user's own notes and uploaded files and pages of the web that have to do with a question. Read what is found with fetch."
      : "Finds the user's own notes and uploaded files that have to do with a question. Read what is found with fetch.",
    toolset: withWeb ? 'web' : 'knowledge',
    routes: [],
    effect: 'read',
    openWorld: withWeb,
    scope: 'read',
    input: z.object({ query: z.string().trim().min(1).max(2000).describe('The question, or words of it') }),
    output,
    example: { query: 'how much a magpie weighs' },
    run: async ({ query }, ctx) => ({ results: await connectorSearch(query, withWeb, ctx) }),
  });
}
