const MAX_CHARS = 10_000;
/** Maximum number of wrapping pairs and punctuation signs that are removed around an address. */
const MAX_SIGNS = 20;

/** Pairs of signs that may enclose an address in a text. */
const WRAPS: readonly (readonly [string, string])[] = [
  ['<', '>'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['**', '**'],
  ['*', '*'],
];

/** A link in Markdown, with an optional title. */
const MARKDOWN_LINK =
  /^!?\[([^\]]{0,2000})\]\(\s{0,9}<?([^\s<>]{1,8000}?)>?(?:\s{1,9}(?:"([^"]{0,500})"|'([^']{0,500})'))?\s{0,9}\)$/;

/** File extensions that are also top-level domains. A name with such an ending may be a file or a host. */
const FILE_ENDING =
  /\.(?:bat|bib|cfg|conf|cpp|css|csv|dart|docx?|env|epub|exe|gz|html?|ini|ipynb|java|jpe?g|jsx?|json|kt|log|lua|mdx?|mov|mp[34]|odt|pdf|php|png|pptx?|py|rb|rs|rtf|sh|sql|svg|tar|tex|toml|tsx?|txt|xlsx?|xml|ya?ml|zip)$/i;

/** An address without a scheme: a host with an optional port, then a path, query or fragment. */
const BARE =
  /^((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]{0,62})\.)+(?:\p{L}{2,62}|xn--[a-z0-9-]{2,59})\.?|\d{1,3}(?:\.\d{1,3}){3}|localhost)(:\d{1,5})?(?=[/?#]|$)(.{0,8000})$/su;

/**
 * Returns the http or https address that a text means which consists of an address alone, as models and people write it: without a
 * scheme, in brackets or quotes, as a link of Markdown, with the punctuation of its sentence. Undefined if it means none, or may mean
 * another thing, such as a file name. An address that is valid and has nothing around it is returned as it is, also with a dot or
 * colon at its end, which may be its own: `otherMeaning` is the address without it.
 */
export function understandAddress(text: string): string | undefined {
  return understandLink(text)?.address;
}

/** Statuses with which sites say that they have no such page. */
export const UNKNOWN_PAGE: ReadonlySet<number> = new Set([404, 410]);

/**
 * Returns the address that an address means if the signs at its end belong to a sentence and `&amp;` is an escaped `&`. Undefined if
 * that is the same one. It is for an address that a site does not know.
 */
export function otherMeaning(address: string): string | undefined {
  const other = withScheme(unwrapped(address, [], true).replaceAll('&amp;', '&'));
  return other === address || other === undefined || !URL.canParse(other) ? undefined : other;
}

export interface WrittenLink {
  readonly address: string;
  /** Label and title of a Markdown link, except for a label or title that only repeats the address. */
  readonly words: readonly string[];
}

/** Returns the same address as `understandAddress`, with the label and title of a Markdown link. */
export function understandLink(text: string): WrittenLink | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const words: string[] = [];
  const bare = unwrapped(text, words);
  const address = withScheme(bare);
  if (address === undefined || !URL.canParse(address) || /\s[a-z]{3,5}:\/\//i.test(address)) return undefined;
  return { address, words: words.filter((said) => said !== '' && withScheme(said) !== address) };
}

/** An escaped `&` before the name of a parameter, where pages and models write `&amp;` but browsers send none. */
const ESCAPED_AMPERSAND = /&amp;(?=[\w.%[\]-]{1,100}=)/g;

/** Removes what surrounds an address. Adds label and title of each link to `words`. `cutsEnd`: also signs that may be its own. */
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

/** An address with a path, query or fragment that begins a text. Its last sign may be its own, as in `/wiki/Et_al.`. */
const WITH_PATH = /^(?:https?:\/\/[^\s/?#<>"]{1,300}|(?!https?:)[\p{L}\p{N}][\p{L}\p{N}._:-]{0,300})[/?#]/iu;

/** Removes a sign that follows an address in a sentence. Keeps a bracket that the address opens itself. */
function withoutPunctuation(text: string, cutsEnd: boolean): string {
  const last = text.at(-1) ?? '';
  const [opening, closing] = ['()', '[]', '{}', '<>'].find((pair) => pair[1] === last) ?? '';
  if (opening !== undefined && closing !== undefined) {
    return text.split(opening).length >= text.split(closing).length ? text : text.slice(0, -1);
  }
  // A quote or star that the address opens itself belongs to it.
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
  // Like browsers, uses plain HTTP for hosts that can hardly have a certificate.
  const isPlain = /^[\d.]+$|^localhost$/.test(host) || (port !== '' && !port.endsWith('443'));
  return `${isPlain ? 'http' : 'https'}://${host.replace(/\.$/, '')}${port}${rest}`;
}
