import type { Tokenizer } from 'htmlparser2';
import { decodeHeaderText } from './url-guard.ts';

const SCANNED_BYTES = 65_536;
/** Maximum delay of a refresh that is followed. A page with a longer delay is meant to be read itself. */
const MAX_DELAY_SECONDS = 10;
/** Maximum letters and digits of a page whose <noscript> refresh is followed. A longer page is read. */
const MAX_BARE_LETTERS = 200;
const MAX_CONTENT_CHARS = 4000;
const INERT = new Set('template textarea title script style iframe noembed noframes xmp'.split(' '));

export interface RefreshSource {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Returns the target of a refresh within 10 s. With `noscript`, finds a refresh in <noscript> too. */
export async function findRefreshTarget(page: RefreshSource, noscript: boolean): Promise<URL | undefined> {
  const header = page.headers.get('refresh');
  const found =
    header === null
      ? await metaRefresh(page, noscript)
      : { content: decodeHeaderText(header), base: page.url };
  const address = found && addressIn(found.content);
  if (!address) return undefined;
  const next = URL.parse(address, found.base);
  return next && withoutFragment(next) !== withoutFragment(page.url) ? next : undefined;
}

const withoutFragment = ({ href }: URL): string => href.replace(/#.*/s, '');

/** Returns the URL in a refresh such as `0; url='...'` (HTML standard, shared declarative refresh steps). */
function addressIn(content: string): string | undefined {
  const text = content.slice(0, MAX_CONTENT_CHARS).trim();
  const delay = /^[\d.]+/.exec(text)?.[0];
  if (delay === undefined || Number.parseInt(`0${delay}`, 10) > MAX_DELAY_SECONDS) return undefined;
  const rest = text.slice(delay.length);
  if (!/^[;,\s]/.test(rest)) return undefined;
  const address = rest
    .trimStart()
    .replace(/^[;,]/, '')
    .trimStart()
    .replace(/^url\s{0,20}=/i, '')
    .trimStart();
  const quote = /^["']/.exec(address)?.[0];
  return (quote ? address.slice(1).split(quote, 1)[0] : address)?.trim() || undefined;
}

interface RefreshTag {
  readonly content: string;
  readonly base: URL;
}

async function metaRefresh({ url, headers, body }: RefreshSource, noscript: boolean) {
  const type = headers.get('content-type') ?? '';
  if (!/html|^\s*$/i.test(type)) return undefined;
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SCANNED_BYTES));
  const text = new TextDecoder(head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(head);
  // A page without these words has no refresh. This test avoids parsing nearly all pages.
  if (!/http-equiv/i.test(text) || !/refresh/i.test(text)) return undefined;
  const { Tokenizer } = await import('htmlparser2');
  const scan = new RefreshScan(url);
  tokenize(Tokenizer, text, scan);
  const quiet = noscript && scan.letters <= MAX_BARE_LETTERS;
  return scan.plain ?? (quiet ? scan.inNoscript : undefined);
}

class RefreshScan {
  plain: RefreshTag | undefined;
  inNoscript: RefreshTag | undefined;
  letters = 0;
  readonly #open = new Map<string, number>();
  #base: URL;

  constructor(url: URL) {
    this.#base = url;
  }

  #isIn(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0;
  }

  #isInert(): boolean {
    for (const name of INERT) if (this.#isIn(name)) return true;
    return false;
  }

  text(text: string): void {
    if (this.letters > MAX_BARE_LETTERS || this.#isIn('noscript') || this.#isInert()) return;
    this.letters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  }

  start(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (tag === 'noscript' || INERT.has(tag)) this.#open.set(tag, (this.#open.get(tag) ?? 0) + 1);
    if (this.#isInert()) return;
    if (tag === 'base') this.#base = URL.parse(attributes.get('href') ?? '', this.#base) ?? this.#base;
    const content = attributes.get('content');
    if (tag !== 'meta' || content === undefined) return;
    if (attributes.get('http-equiv')?.trim().toLowerCase() !== 'refresh') return;
    const found = { content, base: this.#base };
    if (this.#isIn('noscript')) this.inNoscript ??= found;
    else this.plain ??= found;
  }

  end(tag: string): void {
    const count = this.#open.get(tag) ?? 0;
    if (count > 0) this.#open.set(tag, count - 1);
  }
}

function tokenize(Kind: typeof Tokenizer, html: string, scan: RefreshScan): void {
  let tag = '';
  let attributes = new Map<string, string>();
  let [name, value] = ['', ''];
  const start = () => {
    scan.start(tag, attributes);
    attributes = new Map();
  };
  const ignore = () => {};
  const tokenizer = new Kind(
    { decodeEntities: true },
    {
      ontext: (from, to) => scan.text(html.slice(from, to)),
      ontextentity: ignore,
      onopentagname(from, to) {
        tag = html.slice(from, to).toLowerCase();
      },
      onattribname(from, to) {
        name = html.slice(from, to).toLowerCase();
        value = '';
      },
      onattribdata(from, to) {
        value += html.slice(from, to);
      },
      onattribentity(code) {
        value += String.fromCodePoint(code);
      },
      onattribend() {
        if (!attributes.has(name)) attributes.set(name, value);
      },
      onopentagend: start,
      onselfclosingtag: start,
      onclosetag: (from, to) => scan.end(html.slice(from, to).toLowerCase()),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
}
