import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { keep, keptBody, newText } from './knowledge-insert.ts';
import { renderStatus } from './schemas/status.ts';

const shared = {
  toolset: 'knowledge',
  effect: 'write',
  openWorld: false,
  scope: 'write',
  input: z.object(newText),
  output: keptBody,
  unlisted: ['title', 'source', 'tags', 'id'],
  run: keep,
  render: renderStatus,
} as const;

export const upsert = defineOperation({
  ...shared,
  name: 'upsert',
  title: 'Keep a text',
  description:
    "Keep a text in the user's knowledge base: a fact, decision, note or answer worth recalling in later conversations. " +
    'One self-contained text a call; the same text again changes nothing. With id it replaces that entry.',
  essential: true,
  routes: ['GET /upsert'],
  unlisted: [],
  example: { q: 'Magpies recognise themselves in a mirror (Prior, Schwarz and Güntürkün, 2008).' },
});

export const insert = defineOperation({
  ...shared,
  name: 'insert',
  title: 'Keep a text',
  description: "Keep a text in the user's knowledge base, as upsert does.",
  routes: ['GET /insert'],
  example: { q: 'A magpie weighs about 220 grams.' },
});

export const upsertToUsersKnowledgeBase = defineOperation({
  ...shared,
  name: 'upsertToUsersKnowledgeBase',
  title: 'Keep a text',
  description: "Keep a text in the user's knowledge base, as upsert does.",
  routes: ['GET /upsertToUsersKnowledgeBase'],
  helpName: 'upsertToUsersKnowledgeBase',
  example: { q: 'Magpies build domed nests of thorny twigs, with a side entrance.' },
});

export const upsertjson = defineOperation({
  ...shared,
  name: 'upsertjson',
  title: 'Keep a long text',
  description: "Keep a text in the user's knowledge base, as upsert does; over REST as JSON, for long texts.",
  routes: ['POST /upsertjson'],
  example: { q: 'The magpie (Pica pica) lives in most of Europe and Asia, often near people.' },
});
