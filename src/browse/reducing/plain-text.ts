import { dropInlineAddresses } from '../sections/addresses.ts';

export function markdownToPlainText(markdown: string): string {
  const text = /[[<*`~_\\]/.test(markdown) ? withoutMarks(markdown) : withoutOpening(markdown);
  return text.replace(/\s+/g, ' ').trim();
}

function withoutOpening(markdown: string): string {
  return markdown.replace(
    /^[ \t]{0,40}(?:#{1,6}|[-*+]|\d{1,9}[.)]|(?:>[ \t]?){1,9}|:)(?:[ \t]{1,8}|$)/gm,
    '',
  );
}

function withoutMarks(markdown: string): string {
  const words = dropInlineAddresses(markdown.replace(/\[\^[^\][\s]{1,100}\]:?/g, ''), 'words')
    .replace(/!\[([^[\]\n]{1,300})\]/g, '$1')
    .replace(/<(https?:[^<>\s]{1,2000})>/g, '$1');
  return withoutOpening(words)
    .replace(/(?<!\\)[*`~]{1,8}|(?<![\\\p{L}\p{N}])__?|(?<!\\)__?(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
