import { splitBlocks } from './blocks.ts';
import { goodEnd, wholeCharacters } from './parts.ts';

/** A text without blocks that are too long. */
export interface Bounded {
  readonly text: string;
  /** Blocks whose end is left out. */
  readonly cut: number;
}

/**
 * Cuts each block that has more than `chars` characters after a line, else a sentence, else a word, and marks the
 * place with an ellipsis: a lock file or a log is one block, and no percentile parts that. Code stays fenced.
 */
export function boundBlocks(markdown: string, chars: number): Bounded {
  if (markdown.length <= chars) return { text: markdown, cut: 0 };
  let cut = 0;
  const text = splitBlocks(markdown)
    .map(({ kind, text, gap }) => {
      if (text.length <= chars) return text + gap;
      cut++;
      const most = text.slice(0, wholeCharacters(text, chars));
      const kept = most.slice(0, goodEnd(most) || most.length).trimEnd();
      const fence = kind === 'code' ? /\n[ \t]*(`{3,}|~{3,}|\$\$)$/.exec(text)?.[0] : undefined;
      return fence === undefined ? `${kept} …${gap}` : `${kept}\n…${fence}${gap}`;
    })
    .join('');
  return { text, cut };
}
