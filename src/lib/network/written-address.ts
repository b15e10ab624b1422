import wraps from './wrapping-signs.json' with { type: 'json' };

const MAX_CHARS = 10_000;
const MAX_SIGNS = 20;

const WRAPS = wraps as [string, string][];

const MARKDOWN_LINK =
  /^!?\[([^\]]{0,2000})\]\(\s{0,9}<?([^\s<>]{1,8000}?)>?(?:\s{1,9}(?:"([^"]{0,500})"|'([^']{0,500})'))?\s{0,9}\)$/;

/** Matches file names whose extension is also a top-level domain. */
const FILE_ENDING =
  /\.(?:bat|bib|cfg|conf|cpp|css|csv|dart|docx?|env|epub|exe|gz|html?|ini|ipynb|java|jpe?g|jsx?|json|kt|log|lua|mdx?|mov|mp[34]|odt|pdf|php|png|pptx?|py|rb|rs|rtf|sh|sql|svg|tar|tex|toml|tsx?|txt|xlsx?|xml|ya?ml|zip)$/i;

const BARE =
  /^((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,62})\.)+(?:\p{L}{2,62}|xn--[a-z0-9-]{2,59})\.?|\d{1,3}(?:\.\d{1,3}){3}|localhost)(:\d{1,5})?(?=[/?#]|$)(.{0,8000})$/su;

/** Finds the address in a text such as `(example.org)`. Returns undefined for file names and other texts. */
export function extractWrittenUrl(text: string): string | undefined {
  return understandLink(text)?.address;
}

export const UNKNOWN_PAGE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/** Reads `&amp;` as `&` and cuts final punctuation. Returns undefined if the address stays the same. */
export function otherWrittenUrl(address: string): string | undefined {
  const other = withScheme(unwrapped(address, [], true).replaceAll('&amp;', '&'));
  return other === address || other === undefined || !URL.canParse(other) ? undefined : other;
}

export function understandLink(
  text: string,
): { readonly address: string; readonly words: readonly string[] } | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const words: string[] = [];
  const bare = unwrapped(text, words);
  const address = withScheme(bare);
  if (address === undefined || !URL.canParse(address) || /\s[a-z]{3,5}:\/\//i.test(address)) return undefined;
  return { address, words: words.filter((said) => said !== '' && withScheme(said) !== address) };
}

/** Matches `&amp;` before a parameter. Pages and language models write it in place of `&`. */
const ESCAPED_AMPERSAND = /&amp;(?=[\w.%[\]-]{1,100}=)/g;

/** Removes brackets and quotes. Adds link labels to `words`. `cutsEnd`: also removes final `!` and `?`. */
function unwrapped(text: string, words: string[], cutsEnd = false): string {
  let rest = trimmed(text);
  for (let count = 0; count < MAX_SIGNS; count++) {
    const unwrappedOnce = withoutWrap(rest, words);
    const inner = trimmed(unwrappedOnce === rest ? withoutPunctuation(rest, cutsEnd) : unwrappedOnce);
    if (inner === rest) break;
    rest = inner;
  }
  return rest
    .replace(/^[<"'`([{“‘«*]{1,6}/, '')
    .replace(/\\([_*~()[\]&#-])/g, '$1')
    .replace(ESCAPED_AMPERSAND, '&');
}

function trimmed(text: string): string {
  return text
    .replace(/^[\s\u200b\u2060\ufeff]+/, '')
    .replace(/(?<![\s\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]+$/, '');
}

function withoutWrap(text: string, words: string[]): string {
  const [, label = '', link, title = '', otherTitle = ''] = MARKDOWN_LINK.exec(text) ?? [];
  if (link !== undefined) {
    words.push(...[label, title, otherTitle].map(trimmed));
    return link;
  }
  const wrap = WRAPS.find(
    ([first, last]) =>
      text.length > first.length + last.length && text.startsWith(first) && text.endsWith(last),
  );
  const inner = wrap ? text.slice(wrap[0].length, -wrap[1].length) : text;
  return inner.replace(/^url:\s{0,9}(?=https?:)/i, '');
}

const WITH_PATH = /^(?:https?:\/\/[^\s/?#<>"]{1,300}|(?!https?:)[\p{L}\p{N}][\p{L}\p{N}._:-]{0,300})[/?#]/iu;

function withoutPunctuation(text: string, cutsEnd: boolean): string {
  const last = text.at(-1) ?? '';
  const [opening, closing] = ['()', '[]', '{}', '<>'].find((pair) => pair[1] === last) ?? '';
  if (opening !== undefined && closing !== undefined) {
    return text.split(opening).length >= text.split(closing).length ? text : text.slice(0, -1);
  }
  // A quote or star at the end is part of the address if the same character occurs earlier.
  if (!cutsEnd && /["'`*]/.test(last) && text.indexOf(last) < text.length - 1) return text;
  if (!cutsEnd && /[.,;:'*]/.test(last) && WITH_PATH.test(text)) return text;
  return (cutsEnd ? /[.,;:!?"'`”’»*]/ : /[.,;:"'`”’»*]/).test(last) ? text.slice(0, -1) : text;
}

function withScheme(text: string): string | undefined {
  const spaced = text.replace(/^(https?):\s{0,9}(?=\/\/)/i, '$1:');
  if (/^https?:/i.test(spaced)) return spaced;
  const [, host = '', port = '', rest = ''] = BARE.exec(text.replace(/^\/\//, '')) ?? [];
  if (host === '' || (FILE_ENDING.test(host) && port === '' && rest === '' && !/^www\./i.test(text)))
    return undefined;
  // IP addresses, localhost and unusual ports hardly ever support https.
  const isPlain = /^[\d.]+$|^localhost$/.test(host) || (port !== '' && !port.endsWith('443'));
  return `${isPlain ? 'http' : 'https'}://${host.replace(/\.$/, '')}${port}${rest}`;
}
