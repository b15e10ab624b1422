export const escapeMarkdown = (text: string): string => escapeLineStart(escapeInlineMarkup(text));

/** Matches a tilde and its neighbours if GitHub may read the tilde as the end of struck-through text. */
const ENDS_STRIKE = /^(?:[\p{L}\p{N}]~|[^\s~\\]~(?:[\s\p{P}]|$))/u;

export function escapeInlineMarkup(text: string): string {
  let isOpen = false;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|\s{0,9}$)/g, '\\\\')
    .replace(/([*`])/g, '\\$1')
    .replace(/(?<![\p{L}\p{N}\s_\\(])_(?=[^\s_][^_]{0,200}_)/gu, '\\_')
    .replace(/(?<!~)~~(?!~)/g, '\\~\\~')
    .replace(/(?<!~)~(?!~)/g, (sign, at: number, whole: string) => {
      const closes = isOpen && ENDS_STRIKE.test(whole.slice(at - 1, at + 2));
      isOpen = true;
      return closes ? '\\~' : sign;
    })
    .replace(/(^|[\s(])_(?=\S)/g, '$1\\_')
    .replace(/<(?=[a-z/!?][^<>]{0,200}>)/gi, '\\<')
    .replace(/\[(\^[^\s[\]]{1,40}|[^[\]]{0,200}(?=\]\())\]/g, '\\[$1\\]')
    .replace(/(?<!\\)\](?=\()/g, '\\]')
    .replace(/&(?=#?\w{2,30};)/g, '\\&');
}

export function escapeLineStart(text: string): string {
  return text
    .replace(/^(\s*)(~{3,}|-{2,}(?=\s*$)|(?:#{1,6}|[+-]|=+)(?=\s|$)|>|\|(?=.*\|)|:(?= ))/, '$1\\$2')
    .replace(/^(\s*)(?=:?-[-: ]*\|[-:| ]*$)/, '$1\\')
    .replace(/^(\s*)\[(![a-z]{1,20})\]/i, '$1\\[$2\\]')
    .replace(/^(\s*)\[([^[\]]{1,200})\](?=:)/, '$1\\[$2\\]')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, '$1\\$2');
}
