/** Markdown without its marks, on one line: links and images as their words. Every repetition is bounded. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[\^[^\]\s]{1,100}\]:?/g, '')
    .replace(LINK, '$1')
    .replace(LINK, '$1')
    .replace(/<(https?:[^>\s]{1,2000})>/g, '$1')
    .replace(/^[ \t]{0,40}(?:#{1,6}|[-*+]|\d{1,9}[.)]|>{1,9}|:)(?:[ \t]{1,8}|$)/gm, '')
    .replace(/(?<!\\)[*`~]{1,8}|(?<![\\\p{L}\p{N}])__?|(?<!\\)__?(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A link or image, brackets in its words too; twice replaced, since an image may stand in a link. */
const LINK =
  /!?\[((?:[^\][\n\\]|\\.|\[[^\][\n]{0,200}\]){0,500})\]\((?:<[^>\n]{0,2000}>|(?:[^\s()]|\([^\s()]{0,200}\)){0,2000})(?: "[^"\n]{0,500}")?\)/g;
