import type { McpPrompt } from '../src/prompt.ts';
import { browsePrompt } from './browse.ts';
import { helpPrompt } from './help.ts';
import { listPrompt, lsPrompt } from './list.ts';
import { pdfloadPrompt } from './pdfload.ts';
import { pdfsearchPrompt } from './pdfsearch.ts';
import { queryPkbPrompt, queryPrompt } from './query.ts';
import { resetKnowledgeBasePrompt, resetPrompt } from './reset.ts';
import { searchPrompt } from './search.ts';
import { ultrafastsearchPrompt } from './ultrafastsearch.ts';
import { insertPrompt, savetopkbPrompt, upsertPrompt } from './upsert.ts';

export const prompts: readonly McpPrompt[] = [
  searchPrompt,
  ultrafastsearchPrompt,
  browsePrompt,
  upsertPrompt,
  savetopkbPrompt,
  insertPrompt,
  queryPrompt,
  queryPkbPrompt,
  pdfsearchPrompt,
  resetKnowledgeBasePrompt,
  resetPrompt,
  helpPrompt,
  listPrompt,
  lsPrompt,
  pdfloadPrompt,
];
