/** Markdown without its marks, on one line: links and images as their words. Linear: every repetition is bounded. */
export function plainText(markdown: string): string {
  return withoutAddresses(markdown.replace(/\[\^[^\]\s]{1,100}\]:?/g, ''))
    .replace(/<(https?:[^>\s]{1,2000})>/g, '$1')
    .replace(/^[ \t]{0,40}(?:#{1,6}|[-*+]|\d{1,9}[.)]|>{1,9}|:)(?:[ \t]{1,8}|$)/gm, '')
    .replace(/(?<!\\)[*`~]{1,8}|(?<![\\\p{L}\p{N}])__?|(?<!\\)__?(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

const BRACKET = /\\.|[[\]\n]/gs;
/** Where a link leads, after its words. */
const ADDRESS = /\((?:<[^>\n]{0,2000}>|(?:[^\s()]|\([^\s()]{0,200}\)){0,2000})(?: "[^"\n]{0,500}")?\)/y;

/**
 * Links and images as their words, an image in a link too. Brackets are paired as they come: a pattern for the words
 * would read each bracket's line again.
 */
function withoutAddresses(markdown: string): string {
  if (!markdown.includes('](')) return markdown;
  const open: number[] = [];
  const left: [number, number][] = [];
  let done = 0;
  for (const { 0: mark, index } of markdown.matchAll(BRACKET)) {
    if (index < done) continue;
    if (mark === '\n') open.length = 0;
    else if (mark === '[') open.push(index);
    else if (mark === ']') {
      const begin = open.pop();
      if (begin === undefined || markdown[index + 1] !== '(') continue;
      ADDRESS.lastIndex = index + 1;
      if (!ADDRESS.test(markdown)) continue;
      done = ADDRESS.lastIndex;
      left.push([markdown[begin - 1] === '!' ? begin - 1 : begin, begin + 1], [index, done]);
    }
  }
  left.sort(([a], [b]) => a - b);
  let at = 0;
  const kept = left.map(([from, to]) => {
    const piece = markdown.slice(at, from);
    at = to;
    return piece;
  });
  return kept.join('') + markdown.slice(at);
}
