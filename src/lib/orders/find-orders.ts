import foreign from './foreign-words.json' with { type: 'json' };
import type { OrderWarning } from './order-warning.ts';
import shared from './order-words.json' with { type: 'json' };
import own from './page-order-words.json' with { type: 'json' };

const MAX_CHARACTERS = 400_000;
const MAX_BLOCK_CHARACTERS = 4000;
const MAX_WARNINGS = 10;
const MAX_QUOTE_CHARACTERS = 80;
/** Distance in characters at which `near` is searched around a match. */
const NEAR = 200;
/** Matches the end of a text before words that it forbids, for example `Never` before `ignore the instructions`. */
const NEGATED =
  /(?:n['’]t|(?:^|[^\p{L}])(?:never|not|cannot|nie|niemals|nicht|jamais|pas|nunca|não|non|mai|не))\s["'“‘«]?$/iu;
const NEGATION_CHARACTERS = 12;
/** Matches line breaks within a paragraph. Lists, headings, quotations and tables begin new lines. */
const WRAPPED = /\n(?![ \t]{0,40}(?:[-*+#>|]|\d{1,3}[.)]))/g;

const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)/g;
/** Matches invisible characters within or between words of Latin letters. Other scripts need some of them. */
const INVISIBLE = /(?<=[\p{Script=Latin}\s])[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{1,20}/gu;

/** Expressions by name. The security room's prefixes of a name, such as `?`, mean nothing here. */
const WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...shared, ...foreign, ...own.kinds }).map(([name, sources]) => [
    name.replace(/[+?]/g, ''),
    sources,
  ]),
);

/** Replaces names in braces twice, because the words of a name may contain names too. */
function fill(source: string): string {
  const once = (text: string) =>
    text.replace(
      /\{(machine|model|order|reading|reply)\}/g,
      (_all, name: keyof typeof own.shared) => own.shared[name],
    );
  return once(once(source)).normalize('NFKC');
}

/** Compiles each expression alone, because V8 searches a long alternation several times slower. */
const compile = (name: string, flags: string) =>
  (WORDS[name] ?? []).map((source) => new RegExp(fill(source), flags));

/** Words by the name of the expressions near which they must stand. */
const NEAR_WORDS = new Map(Object.entries(own.near).map(([name, words]) => [name, compile(words, 'im')]));

/** `gate` matches every text that a rule of the group can match, and takes a fraction of their time. */
const GROUPS = own.groups.map(({ if: gate, rules }) => ({
  gate: new RegExp(gate, 'i'),
  rules: rules.map(({ kind, any }) => ({
    kind: kind as OrderWarning['kind'],
    any: any.flatMap((name) =>
      compile(name, 'gim').map((expression) => ({ expression, near: NEAR_WORDS.get(name) })),
    ),
  })),
}));

/** Finds visible orders to a language model in Markdown, at most ten. Returns undefined if there are none. */
export function findOrders(markdown: string, title = ''): OrderWarning[] | undefined {
  const found: OrderWarning[] = ordersIn(title).map(({ kind, text }) => ({ kind, place: 'title', text }));
  let heading: string | undefined;
  let line = 1;
  for (const block of blocksOf(markdown.slice(0, MAX_CHARACTERS))) {
    if (found.length >= MAX_WARNINGS) break;
    heading = /^#{1,6} (.{1,100})/.exec(block)?.[1] ?? heading;
    for (const { kind, text, lines } of ordersIn(block))
      found.push({ kind, place: heading ?? `line ${line + lines}`, text });
    line += block.split('\n').length - 1;
  }
  return found.length > 0 ? found.slice(0, MAX_WARNINGS) : undefined;
}

/** Splits at empty lines and before headings, and cuts longer blocks. The blocks together are the whole text. */
const blocksOf = (text: string) =>
  text.split(/(?<=\n)(?=\n|#{1,6} )/).flatMap((block) => {
    if (block.length <= MAX_BLOCK_CHARACTERS) return block;
    return block.match(LONG_BLOCK) ?? [];
  });
const LONG_BLOCK = new RegExp(
  `[^]{1,${MAX_BLOCK_CHARACTERS}}(?![^\\s.])|[^]{1,${MAX_BLOCK_CHARACTERS}}`,
  'g',
);

/** Removes Markdown's signs, and what looks like a space or a letter becomes one. Links are left. */
const plainOf = (block: string) =>
  block
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/~~[\w ]{1,14}~~/g, '')
    .replace(/^[ \t]{0,3}(?:>[ \t]?){1,10}|[*`]|~~|\b_{1,3}|_{1,3}\b|\\(?=[^\w\s])/gm, '')
    .replace(/[ \t]{2,200}|\t/g, ' ')
    .replace(/^ | ?\\$| $/gm, '');

/** Only orders to send something are read with the targets of links. */
function ordersIn(block: string) {
  const linked = plainOf(block);
  const unlinked = linked.replace(LINK, '$1');
  return GROUPS.flatMap(({ gate, rules }) => {
    const bare = rules.some(({ kind }) => kind === 'send') ? linked : unlinked;
    const flat = bare.replace(WRAPPED, ' ');
    const isMeant = (kind: string, near: RegExp[] | undefined, from: number, to: number) =>
      (kind !== 'override' || !NEGATED.test(flat.slice(Math.max(0, from - NEGATION_CHARACTERS), from))) &&
      (near?.some((other) => other.test(flat.slice(Math.max(0, from - NEAR), to + NEAR))) ?? true);
    return (gate.test(flat) ? rules : []).flatMap(({ kind, any }) => {
      for (const { expression, near } of any) {
        for (const { index, 0: hit } of flat.matchAll(expression)) {
          if (!isMeant(kind, near, index, index + hit.length)) continue;
          const lines = bare.slice(0, index).split('\n').length - 1;
          return [{ kind, text: quoteOf(flat.slice(index)), lines }];
        }
      }
      return [];
    });
  });
}

function quoteOf(text: string): string {
  const flat = text
    .slice(0, 4 * MAX_QUOTE_CHARACTERS)
    .replace(/\s{1,200}/g, ' ')
    .replace(/^[^\p{L}\p{N}<[]{1,20}/u, '');
  if (flat.length <= MAX_QUOTE_CHARACTERS) return flat.trim();
  const end = flat.lastIndexOf(' ', MAX_QUOTE_CHARACTERS - 1);
  return `${flat.slice(0, end > MAX_QUOTE_CHARACTERS / 2 ? end : MAX_QUOTE_CHARACTERS - 1)}…`;
}
