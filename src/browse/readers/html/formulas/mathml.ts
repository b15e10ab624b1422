import { maxOf } from '../../../../lib/long-lists.ts';
import { oneLine } from '../../markdown.ts';
import { descendants, type HtmlElement } from '../parsing/node.ts';
import tables from './tex-symbols.json' with { type: 'json' };

/** The tables list pairs such as `α:alpha`: a sign, MathML name or code point, and a TeX command. */
const TABLES: Readonly<Record<string, string>> = tables;

const pairs = (name: string): ReadonlyMap<string, string> =>
  new Map(
    TABLES[name]
      ?.split(' ')
      .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  );

const TEX_SYMBOLS: ReadonlyMap<string, string> = new Map(
  ['greek', 'large', 'signs'].flatMap((name) => [...pairs(name)]),
);

const LARGE_OPERATORS: ReadonlySet<string> = new Set(pairs('large').keys());

const SIGN_REPLACEMENTS = pairs('replacements');
const TEX_FUNCTIONS: ReadonlySet<string> = new Set(TABLES.functions?.split(' '));
const COMMANDS_ABOVE = pairs('above');
const COMMANDS_BELOW = pairs('below');
const STYLE_COMMANDS = pairs('styles');

/** For each Unicode block of styled letters: its last code point, and the TeX command for the style. */
const STYLED_LETTER_BLOCKS: readonly (readonly [until: number, command: string])[] = [...pairs('blocks')].map(
  ([until, command]) => [Number.parseInt(until, 16), command],
);

const LETTERLIKE_COMMANDS = pairs('letterlike');

const MAX_NODES = 20_000;

export function texOfMathML(math: HtmlElement): string {
  let nodes = 0;
  for (const _ of descendants(math)) if (++nodes > MAX_NODES) return oneLine(math.textContent);
  return row(math.children.length > 0 ? math.children : [math]).trim();
}

type MathWriter = (element: HtmlElement, parts: readonly HtmlElement[]) => string;

const content: MathWriter = (element, parts) =>
  parts.length > 0 ? row(parts) : sign(oneLine(element.textContent));

const WRITERS: ReadonlyMap<string, MathWriter> = new Map(
  Object.entries<MathWriter>({
    mi: identifier,
    mn: (element) => styled(oneLine(element.textContent), element),
    mo: (element) => operator(oneLine(element.textContent)),
    mtext: words,
    ms: (element) => `\\text{“${escapeWords(oneLine(element.textContent))}”}`,
    mspace: ({ attributes }) => (Number.parseFloat(attributes.width ?? '') >= 1 ? '\\quad' : ''),
    mphantom: () => '',
    annotation: () => '',
    'annotation-xml': () => '',
    mglyph: ({ attributes }) => attributes.alt ?? '',
    semantics: (_element, [first]) => (first ? write(first) : ''),
    maction: (_element, [first]) => (first ? write(first) : ''),
    mfrac: fraction,
    msqrt: (_element, parts) => `\\sqrt{${row(parts)}}`,
    mroot: (_element, [base, index]) => `\\sqrt[${one(index)}]{${one(base)}}`,
    msup: (_element, [base, above]) => `${nucleus(base)}${raised(above)}`,
    msub: (_element, [base, below]) => `${nucleus(base)}_{${one(below)}}`,
    msubsup: (_element, [base, below, above]) => `${nucleus(base)}_{${one(below)}}${raised(above)}`,
    mover: (_element, [base, above]) => over(base, above),
    munder: (_element, [base, below]) => under(base, below),
    munderover: (_element, [base, below, above]) =>
      hasLimits(base)
        ? `${one(base)}_{${one(below)}}^{${one(above)}}`
        : `\\overset{${one(above)}}{\\underset{${one(below)}}{${one(base)}}}`,
    mmultiscripts: scripts,
    mtable: (element) => writeTable(element, undefined),
    menclose: enclosed,
    mfenced: fenced,
  }),
);

function write(element: HtmlElement): string {
  return (WRITERS.get(element.tag) ?? content)(element, element.children);
}

function one(element: HtmlElement | undefined): string {
  return element ? write(element).trim() : '';
}

function nucleus(base: HtmlElement | undefined): string {
  const tex = one(base);
  return base &&
    /^m(?:row|sup|sub|subsup|frac|style)$/.test(base.tag) &&
    tex.length > 1 &&
    !/^\\?\w+$/.test(tex)
    ? `{${tex}}`
    : tex;
}

const PRIMES = /^[′'’]+$|^[″‴⁗]$/;

function raised(above: HtmlElement | undefined): string {
  const text = above && above.children.length < 2 ? oneLine(above.textContent) : '';
  if (!PRIMES.test(text)) return `^{${one(above)}}`;
  return "'".repeat({ '″': 2, '‴': 3, '⁗': 4 }[text] ?? text.length);
}

const OPENING = /[([{⟨〈⌊⌈|‖∣∥]/;
const CLOSING = pairs('closing');
const MATRICES = pairs('matrices');

function row(parts: readonly HtmlElement[]): string {
  const seen = parts.filter((part) => part.tag !== 'mphantom');
  const matrix = matrixIn(seen);
  if (matrix !== undefined) return matrix;
  return join(seen.map(write));
}

function matrixIn(parts: readonly HtmlElement[]): string | undefined {
  const at = parts.findIndex((part) => OPENING.test(signOf(part) ?? ''));
  if (at < 0) return undefined;
  const [open, inner, close] = parts.slice(at, at + 3);
  const inside = inner && only(inner);
  if (!open || !inside || !/^m(?:table|frac)$/.test(inside.tag)) return undefined;
  const sign = signOf(open) ?? '';
  const end = close && signOf(close);
  const closed = end !== undefined && end === CLOSING.get(sign);
  const tex = matrixOf(inside, sign, closed);
  if (tex === undefined) return undefined;
  const rest = parts.slice(at + (closed || end === '' ? 3 : 2));
  return join([...parts.slice(0, at).map(write), tex, ...(rest.length > 0 ? [row(rest)] : [])]);
}

function matrixOf(inside: HtmlElement, open: string, closed: boolean): string | undefined {
  if (inside.tag === 'mtable') {
    if (closed) return writeTable(inside, MATRICES.get(open) ?? 'matrix');
    return open === '{' ? writeTable(inside, 'cases') : undefined;
  }
  const [above, below] = inside.children;
  return open === '(' && closed && isBinomial(inside) ? `\\binom{${one(above)}}{${one(below)}}` : undefined;
}

function signOf(part: HtmlElement): string | undefined {
  const alone = only(part);
  return alone.tag === 'mo' ? oneLine(alone.textContent) : undefined;
}

function only(element: HtmlElement): HtmlElement {
  let at = element;
  while (/^m(?:row|style|padded)$/.test(at.tag)) {
    const { children } = at;
    const [first] = children;
    if (children.length !== 1 || !first) break;
    at = first;
  }
  return at;
}

function join(pieces: readonly string[]): string {
  let tex = '';
  for (const piece of pieces) {
    if (piece === '') continue;
    const close = /^(?:[)\],;]|\\}|'|\\rangle(?![a-z])|\\rfloor|\\rceil)/.test(piece);
    const open = tex === '' || /(?:[([]|\\{|\\langle|\\lfloor|\\lceil)$/.test(tex.slice(-10));
    const needed = /\\[A-Za-z]+$/.test(tex.slice(-40)) && /^[A-Za-z]/.test(piece);
    tex += (!needed && (close || open) ? '' : ' ') + piece;
  }
  return tex;
}

function identifier(element: HtmlElement): string {
  const text = oneLine(element.textContent);
  if (TEX_FUNCTIONS.has(text)) return `\\${text}`;
  if ([...text].length <= 1 || element.attributes.mathvariant !== undefined) return styled(text, element);
  return /^[\p{L}\p{N} .-]+$/u.test(text) && text.normalize('NFKC') === text
    ? `\\mathrm{${text}}`
    : sign(text);
}

function styled(text: string, { attributes }: HtmlElement): string {
  const command = STYLE_COMMANDS.get(attributes.mathvariant ?? '');
  const tex = sign(text);
  return command && tex ? `\\${command}{${tex}}` : tex;
}

function operator(text: string): string {
  if (TEX_FUNCTIONS.has(text)) return `\\${text}`;
  return /^\p{L}{2,}$/u.test(text) ? `\\operatorname{${text}}` : sign(text);
}

function sign(text: string): string {
  const characters = [...text];
  if (characters.length === 1) return character(text);
  if (/^[\w.,' ]*$/.test(text)) return text.replaceAll('_', '\\_');
  return join(characters.map(character));
}

function character(one: string): string {
  const plain = SIGN_REPLACEMENTS.get(one);
  if (plain !== undefined) return plain;
  const named = TEX_SYMBOLS.get(one);
  if (named !== undefined) return `\\${named}`;
  const like = LETTERLIKE_COMMANDS.get(one);
  if (like !== undefined) return `\\${like}{${one.normalize('NFKC')}}`;
  const code = one.codePointAt(0) ?? 0;
  if (code < 0x1d400 || code > 0x1d7ff) return one;
  const command = STYLED_LETTER_BLOCKS.find(([until]) => code <= until)?.[1] ?? '';
  const letter = character(one.normalize('NFKC'));
  return command ? `\\${command}{${letter}}` : letter;
}

function words(element: HtmlElement): string {
  const text = element.textContent.replace(/\s+/g, ' ');
  return text.trim() === '' ? '' : `\\text{${escapeWords(text)}}`;
}

function escapeWords(text: string): string {
  return text.replace(/[{}$%#&_]/g, '\\$&').replaceAll('\u00a0', ' ');
}

function isBinomial({ attributes }: HtmlElement): boolean {
  return /^0(?:\D|$)/.test(attributes.linethickness ?? '');
}

function fraction(element: HtmlElement, [above, below]: readonly HtmlElement[]): string {
  if (!isBinomial(element)) return `\\frac{${one(above)}}{${one(below)}}`;
  return `\\genfrac{}{}{0pt}{}{${one(above)}}{${one(below)}}`;
}

function hasLimits(base: HtmlElement | undefined): boolean {
  const text = base ? oneLine(base.textContent) : '';
  return (
    LARGE_OPERATORS.has(text) ||
    /^(?:lim|limsup|liminf|max|min|sup|inf|argmax|argmin|arg\s?max|arg\s?min|gcd|det|Pr|lim\s(?:sup|inf))$/.test(
      text,
    )
  );
}

function over(base: HtmlElement | undefined, above: HtmlElement | undefined): string {
  const command = COMMANDS_ABOVE.get(above ? oneLine(above.textContent) : '');
  if (command !== undefined) {
    const tex = one(base);
    return `\\${command === 'bar' && tex.length > 1 && !/^\\[a-z]+$/i.test(tex) ? 'overline' : command}{${tex}}`;
  }
  if (hasLimits(base) || (base && startsWith(base, 'overbrace'))) return `${one(base)}^{${one(above)}}`;
  return `\\overset{${one(above)}}{${one(base)}}`;
}

function under(base: HtmlElement | undefined, below: HtmlElement | undefined): string {
  const command = COMMANDS_BELOW.get(below ? oneLine(below.textContent) : '');
  if (command !== undefined) return `\\${command}{${one(base)}}`;
  if (hasLimits(base) || (base && startsWith(base, 'underbrace'))) return `${one(base)}_{${one(below)}}`;
  return `\\underset{${one(below)}}{${one(base)}}`;
}

function startsWith(base: HtmlElement, command: 'overbrace' | 'underbrace'): boolean {
  const { tag, children } = only(base);
  const mark = children[1] ? oneLine(children[1].textContent) : '';
  return (
    /^m(?:over|under)$/.test(tag) &&
    (COMMANDS_ABOVE.get(mark) === command || COMMANDS_BELOW.get(mark) === command)
  );
}

function scripts(_element: HtmlElement, [base, ...rest]: readonly HtmlElement[]): string {
  const split = rest.findIndex(({ tag }) => tag === 'mprescripts');
  const pairsOf = (list: readonly HtmlElement[]) => {
    let tex = '';
    for (let i = 0; i < list.length; i += 2) {
      const [below, above] = [one(list[i]), one(list[i + 1])];
      tex += (below && `_{${below}}`) + (above && `^{${above}}`);
    }
    return tex;
  };
  const before = split < 0 ? '' : pairsOf(rest.slice(split + 1));
  return `${before && `{}${before}`}${nucleus(base)}${pairsOf(split < 0 ? rest : rest.slice(0, split))}`;
}

function writeTable(element: HtmlElement, environment: string | undefined): string {
  const rows = element.children.filter(({ tag }) => /^m(?:labeled)?tr$/.test(tag));
  const lines = rows.map(({ tag, children }) => {
    const [label] = children;
    const labelled = tag === 'mlabeledtr' && label !== undefined;
    const cells = (labelled ? children.slice(1) : children).map(one);
    const line = cells.slice(0, cells.findLastIndex(Boolean) + 1).join(' & ');
    return labelled ? `${line} \\tag{${unbracketed(oneLine(label.textContent))}}` : line;
  });
  const columns = Math.max(0, maxOf(rows.map(({ children }) => children.length)));
  const text = lines.join(' \\\\ ');
  if (environment === undefined && lines.length < 2 && (columns < 2 || rows[0]?.tag === 'mlabeledtr'))
    return text;
  const name =
    environment ?? (isAligned(element, columns) ? (columns > 1 ? 'aligned' : 'gathered') : 'matrix');
  return `\\begin{${name}} ${text} \\end{${name}}`;
}

/** Removes the brackets around an equation number, because TeX adds brackets itself. */
function unbracketed(text: string): string {
  const inner = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1).trim() : text;
  return sign(inner);
}

function isAligned({ attributes, children }: HtmlElement, columns: number): boolean {
  if (attributes.displaystyle === 'true' || /right\s+left|center\s+left/.test(attributes.columnalign ?? ''))
    return true;
  const [first] = children;
  const [left] = first?.children ?? [];
  return columns <= 3 && /right|end/.test(left?.attributes.columnalign ?? left?.attributes.style ?? '');
}

function enclosed({ attributes }: HtmlElement, parts: readonly HtmlElement[]): string {
  const { notation = 'longdiv' } = attributes;
  const tex = row(parts);
  if (/box|roundedbox/.test(notation)) return `\\boxed{${tex}}`;
  if (/strike/.test(notation)) return `\\cancel{${tex}}`;
  if (/top/.test(notation)) return `\\overline{${tex}}`;
  return /bottom/.test(notation) ? `\\underline{${tex}}` : tex;
}

function fenced({ attributes }: HtmlElement, parts: readonly HtmlElement[]): string {
  const { open = '(', close = ')', separators = ',' } = attributes;
  const signs = [...separators.replace(/\s/g, '')];
  const inner = parts.flatMap((part, i) => {
    const between = i === 0 ? '' : (signs[i - 1] ?? signs.at(-1) ?? '');
    return between === '' ? [one(part)] : [sign(between), one(part)];
  });
  const [first] = parts;
  const inside = parts.length === 1 && first ? only(first) : undefined;
  if (inside?.tag === 'mtable') {
    const name =
      open === '{' && close !== '}' ? 'cases' : CLOSING.get(open) === close ? MATRICES.get(open) : undefined;
    if (name) return writeTable(inside, name);
  }
  return join([sign(open), ...inner, sign(close)]);
}
