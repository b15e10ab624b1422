import type { Block } from './blocks.ts';
import { goodEnd, wholeCharacters } from './parts.ts';

/** Blocks of which none is too long. */
export interface Bounded {
  readonly blocks: readonly Block[];
  /** How many lost their end. */
  readonly cut: number;
}

/**
 * Cuts each block that has more than `chars` characters after a line, else a sentence, else a word, and marks the
 * place with an ellipsis: a lock file or a log is one block, and no percentile parts that. Code stays fenced.
 */
export function boundBlocks(blocks: readonly Block[], chars: number): Bounded {
  const cut = blocks.filter(({ text }) => text.length > chars).length;
  if (cut === 0) return { blocks, cut };
  return { blocks: blocks.map((block) => ({ ...block, text: bounded(block, chars) })), cut };
}

function bounded({ kind, text }: Block, chars: number): string {
  if (text.length <= chars) return text;
  const most = text.slice(0, wholeCharacters(text, chars));
  const kept = most.slice(0, goodEnd(most) || most.length).trimEnd();
  const fence = kind === 'code' ? /\n[ \t]*(`{3,}|~{3,}|\$\$)$/.exec(text)?.[0] : undefined;
  return fence === undefined ? `${kept} …` : `${kept}\n…${fence}`;
}
