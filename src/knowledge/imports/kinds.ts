import type { ImportKind } from '../importing/import-kind.ts';
import { bookmarks } from './bookmarks.ts';
import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { mem0 } from './mem0.ts';
import { chats } from './messengers/chats.ts';
import { notion } from './notion.ts';
import { obsidian } from './obsidian.ts';
import { pocket } from './pocket.ts';
import { records } from './records.ts';

/** All kinds of imports in the order in which they are tried. Kinds that accept many sorts of files come last. */
export const IMPORT_KINDS: readonly ImportKind[] = [
  chatgpt,
  claude,
  pocket,
  bookmarks,
  mem0,
  chats,
  records,
  notion,
  jsonl,
  obsidian,
  csv,
];
