import { Parser } from 'htmlparser2';
import type { FetchOptions, FetchResult, GuardedFetch } from '../../lib/network/fetch.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';

/** Describes an unusable answer for bug reports, without any text of the answer or the request. */
export interface AnswerSample {
  readonly status: number;
  readonly format: 'html' | 'xml' | 'json' | 'other';
  readonly bytes: number;
  readonly elsewhere?: true;
  readonly outline: readonly string[];
}

const MAX_BYTES = 2_000_000;
const MAX_NODES = 4000;
const MAX_DEPTH = 16;
const MAX_NESTING = 400;
const TOO_MUCH = new Error('the answer has more elements than a sample shows');
const MAX_LINES = 200;
const MAX_CLASSES = 4;
/** Maximum characters of names (elements, classes, keys) and words. Masks longer ones, as possible ids. */
const [MAX_NAME, MAX_WORD] = [60, 20];
/** Minimum length of words that are masked because they occur in the request or in a cookie. */
const MIN_PRIVATE = 5;
const MASK = '*';
const OPAQUE = new Set(['head', 'script', 'style', 'svg', 'template', 'iframe', 'select']);
const COMMON_HEADER =
  /^(?:accept.*|user-agent|content-type|sec-.*|upgrade-insecure-requests|referer|origin|dnt)$/i;

type SentRequest = Pick<FetchOptions, 'headers' | 'body'> & { readonly url: string };

export function recordLastAnswer(fetch: GuardedFetch): {
  readonly fetch: GuardedFetch;
  sample(): AnswerSample | undefined;
} {
  const sent: SentRequest[] = [];
  let last: FetchResult | undefined;
  const cookies: string[] = [];
  const remembering = async (url: string, options: FetchOptions) => {
    last = undefined;
    sent.push({ url, ...options });
    last = await fetch(url, options);
    cookies.push(...last.headers.getSetCookie());
    return last;
  };
  return {
    fetch: Object.assign(remembering, { close: fetch.close }),
    sample: () => last && sampleAnswer(last, sent, cookies),
  };
}

function sampleAnswer(
  answer: FetchResult,
  sent: readonly SentRequest[],
  cookies: readonly string[],
): AnswerSample {
  const text = new TextDecoder().decode(answer.body.subarray(0, MAX_BYTES)).trim();
  const secrets: Secrets = {
    cookies: cookies.join('\n').toLowerCase(),
    words: new Set(
      sent
        .flatMap(valuesOf)
        .join('\n')
        .toLowerCase()
        .split(/[^a-z]+/),
    ),
  };
  const asked = sent.at(-1)?.url ?? answer.url;
  return {
    status: answer.status,
    ...outlineOf(text, (name) => maskName(name, secrets)),
    bytes: answer.body.byteLength,
    ...(new URL(answer.url).host !== new URL(asked).host && { elsewhere: true }),
  };
}

function valuesOf({ url, headers = {}, body = '' }: SentRequest): string[] {
  const { searchParams, username, password } = new URL(url);
  const own = Object.entries(headers).flatMap(([name, value]) => (COMMON_HEADER.test(name) ? [] : [value]));
  return [...searchParams.values(), username, password, ...own, ...bodyValues(body)];
}

function bodyValues(body: string): string[] {
  const json = parseJson(body);
  if (json === undefined) return [...new URLSearchParams(body).values()];
  const values: string[] = [];
  JSON.stringify(json, (_, value: unknown) => {
    if (typeof value === 'string') values.push(value);
    return value;
  });
  return values;
}

type Mask = (name: string) => string;

interface Secrets {
  readonly cookies: string;
  readonly words: ReadonlySet<string>;
}

function maskName(name: string, secrets: Secrets): string {
  if (name.length > MAX_NAME || !/^[\w:@-]+$/.test(name)) return MASK;
  return name
    .split(/([-_:@]+)/)
    .map((part) =>
      isPrivate(part, secrets)
        ? MASK
        : part
            .split(/(?<=[a-z])(?=[A-Z])/)
            .map(plain)
            .join(''),
    )
    .join('');

  function plain(word: string): string {
    return isPlain(word) && !isPrivate(word, secrets) ? word : MASK;
  }
}

function isPrivate(word: string, { cookies, words }: Secrets): boolean {
  const small = word.toLowerCase();
  return small.length >= MIN_PRIVATE && (cookies.includes(small) || words.has(small));
}

function isPlain(word: string): boolean {
  const isName = /^(?:[-_:@]*|[a-z]+)$/i.test(word) && word.length <= MAX_WORD;
  return isName && !/^[a-f]{4,}$/i.test(word);
}

function outlineOf(text: string, mask: Mask): Pick<AnswerSample, 'format' | 'outline'> {
  if (text.startsWith('<')) {
    const xml = /^<(?:\?xml|rss|feed)\b/i.test(text);
    return { format: xml ? 'xml' : 'html', outline: linesOf(readElements(text, xml, mask)) };
  }
  const json = parseJson(text) ?? parseJson(/^data: ?(.+)$/m.exec(text)?.[1] ?? '');
  if (json === undefined) return { format: 'other', outline: [] };
  const root = readValue('', json, mask, { left: MAX_NODES }, 0);
  return { format: 'json', outline: linesOf({ ...root, label: '', children: [root] }) };
}

function parseJson(text: string): unknown {
  return /^[[{]/.test(text) ? parseJsonOrNothing(text) : undefined;
}

interface Outline {
  readonly label: string;
  readonly children: Outline[];
  letters: number;
}

function readElements(text: string, xmlMode: boolean, mask: Mask): Outline {
  const root: Outline = { label: '', children: [], letters: 0 };
  const open: Outline[] = [root];
  let [nodes, depth, opaque] = [0, 0, 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // Deep nesting is refused, because parsing takes time that grows with the square of the depth.
        if (++depth > MAX_NESTING || nodes >= MAX_NODES) throw TOO_MUCH;
        const parent = open.at(-1);
        if (opaque > 0 || depth > MAX_DEPTH || !parent) return;
        nodes++;
        const node = { label: labelOf(name, attributes, mask), children: [], letters: 0 };
        parent.children.push(node);
        open.push(node);
        if (OPAQUE.has(name)) opaque = depth;
      },
      ontext(data) {
        const node = open.at(-1);
        if (node) node.letters += data.trim().length;
      },
      onclosetag() {
        if (depth < open.length) open.pop();
        if (opaque === depth) opaque = 0;
        depth--;
      },
    },
    { xmlMode, decodeEntities: false },
  );
  try {
    parser.end(text);
  } catch (error) {
    if (error !== TOO_MUCH) throw error;
  }
  return root;
}

function labelOf(name: string, { id, class: classes = '' }: Record<string, string>, mask: Mask): string {
  const named = classes
    .split(/\s+/, MAX_CLASSES + 1)
    .filter(Boolean)
    .slice(0, MAX_CLASSES);
  return `${mask(name)}${id ? `#${mask(id)}` : ''}${named.map((one) => `.${mask(one)}`).join('')}`;
}

function readValue(key: string, value: unknown, mask: Mask, nodes: { left: number }, depth: number): Outline {
  nodes.left--;
  const start = key === '' ? '' : `${mask(key)}: `;
  if (typeof value === 'string') return { label: `${start}text`, children: [], letters: value.length };
  if (value === null || typeof value !== 'object')
    return { label: `${start}${value === null ? 'null' : typeof value}`, children: [], letters: 0 };
  const list = Array.isArray(value);
  const parts: [string, unknown][] = list ? value.slice(0, 1).map((one) => ['', one]) : Object.entries(value);
  const children: Outline[] = [];
  for (const [name, part] of parts) {
    if (nodes.left <= 0 || depth >= MAX_DEPTH) break;
    children.push(readValue(name, part, mask, nodes, depth + 1));
  }
  return { label: `${start}${list ? `list of ${value.length}` : 'object'}`, children, letters: 0 };
}

function linesOf(root: Outline): string[] {
  const lines: string[] = [];
  const add = (nodes: readonly Outline[], indent: string) => {
    for (let at = 0; at < nodes.length && lines.length < MAX_LINES; ) {
      const node = nodes[at] as Outline;
      let next = at + 1;
      while (nodes[next]?.label === node.label) next++;
      const times = next - at > 1 ? ` x${next - at}` : '';
      lines.push(`${indent}${node.label}${times}${node.letters > 0 ? ` (${node.letters})` : ''}`);
      add(node.children, `${indent}  `);
      at = next;
    }
  };
  add(root.children, '');
  return lines;
}
