import type { Prompt } from '../src/prompt.ts';
import { browsePrompt } from './browse.ts';
import { helpPrompt } from './help.ts';
import { insertPrompt } from './insert.ts';
import { listPrompt } from './list.ts';
import { lsPrompt } from './ls.ts';
import { pdfloadPrompt } from './pdfload.ts';
import { pdfsearchPrompt } from './pdfsearch.ts';
import { pkbPrompt } from './pkb.ts';
import { queryPrompt } from './query.ts';
import { resetPrompt } from './reset.ts';
import { resetKnowledgeBasePrompt } from './reset-knowledge-base.ts';
import { savetopkbPrompt } from './savetopkb.ts';
import { searchPrompt } from './search.ts';
import { ultrafastsearchPrompt } from './ultrafastsearch.ts';
import { upsertPrompt } from './upsert.ts';

/** Registry of all slash commands, in the order of the API contract. */
export const prompts: readonly Prompt[] = [
  searchPrompt,
  ultrafastsearchPrompt,
  browsePrompt,
  upsertPrompt,
  savetopkbPrompt,
  insertPrompt,
  queryPrompt,
  pkbPrompt,
  pdfsearchPrompt,
  resetKnowledgeBasePrompt,
  resetPrompt,
  helpPrompt,
  listPrompt,
  lsPrompt,
  pdfloadPrompt,
];
