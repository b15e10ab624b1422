import { AppError } from '../errors.ts';
import { type Clause, clausesOf, isCommand, type Piece } from './clauses.ts';
import { type Single, singlesOf, type When } from './condition.ts';
import { isCurrency, type Node } from './nodes.ts';
import { numbersIn, type Quantity, takeBetween } from './quantities.ts';

/** A condition with the phrases that say it. */
interface Atom {
  readonly single: Single;
  readonly joint: 'any' | 'all' | undefined;
}

/** What a task waits for. */
export interface ConditionReading {
  readonly when: When | undefined;
  /** Whether a price is what it is about. */
  readonly price: boolean;
  /** Clauses like `when the sky is blue`, of which nothing was read, by their place in the task. */
  readonly missed: readonly { readonly start: number; readonly end: number }[];
}

const COMPARING = ['below', 'above', 'belowEq', 'aboveEq', 'equal', 'outside'];
const THAN = new Set(['than', 'als', 'que', 'di', 'dan', 'niż', 'чем']);
const COUNTED: readonly string[] = ['number', 'quote'];
const APPEARING = ['contain', 'appear'];
const MOVING: Readonly<Record<string, 'drop' | 'rise' | 'move'>> = {
  fall: 'drop',
  rise: 'rise',
  change: 'move',
};
const MAX_WORD = 100;

/** Reads the conditions of a task, and takes the phrases that say them. */
export function readConditions(nodes: readonly Node[], text: string): ConditionReading {
  const between = takeBetween(nodes);
  const clauses = clausesOf(nodes);
  const price = nodes.some((node) => !node.taken && (isPrice(node) || isCheaper(node)));
  const found = clauses.map((clause) => ({ clause, atoms: new ClauseReader(clause, text, price).read() }));
  const conditions = found.filter(({ clause, atoms }) => clause.condition && atoms.length > 0);
  const mains = found.filter(({ clause, atoms }) => !clause.condition && atoms.length > 0);
  // What is watched "for changes" has its condition in the other clause.
  const kept =
    conditions.length === 0
      ? mains
      : mains.filter(({ atoms }) => atoms.some(({ single }) => single.kind !== 'change'));
  const opposites = conditions
    .filter(({ clause }) => clause.opposite)
    .flatMap(({ atoms }) => atoms.map(oppositeOf));
  const plain = conditions.filter(({ clause }) => !clause.opposite).map(({ atoms }) => combine(atoms));
  const first = anyOf(plain);
  const both = [...kept.map(({ atoms }) => combine(atoms)), ...(first ? [first] : []), ...between];
  const whole = allOf([...both, ...opposites]);
  const missed = found
    .filter(
      ({ clause, atoms }) => clause.condition && !clause.partly && atoms.length === 0 && between.length === 0,
    )
    .flatMap(({ clause }) => placeOf(clause));
  return { when: whole, price, missed };
}

function placeOf({ pieces }: Clause): { start: number; end: number }[] {
  const nodes = pieces
    .flatMap((piece) => piece.nodes)
    .filter(({ kind }) => kind !== 'page' && kind !== 'mark' && kind !== 'target');
  const [first, last] = [nodes.find((node) => !isFiller(node)), nodes.findLast((node) => !isFiller(node))];
  // `when` alone, or `when it` belongs to another part.
  return first && last && !nodes.every((node) => node.taken || isFiller(node) || isCommand(node))
    ? [{ start: first.start, end: last.end }]
    : [];
}

function oppositeOf(atom: Atom): Single {
  const { single } = atom;
  if (single.kind === 'word') return { kind: 'gone', word: single.word };
  if (single.kind === 'gone') return { kind: 'word', word: single.word };
  if (single.kind === 'stock') return { kind: 'nostock' };
  if (single.kind === 'nostock') return { kind: 'stock' };
  if (single.kind === 'below') return { ...single, kind: 'above', inclusive: !single.inclusive };
  if (single.kind === 'above') return { ...single, kind: 'below', inclusive: !single.inclusive };
  return single;
}

/** `a or b and c` is `a or (b and c)`. */
function combine(atoms: readonly Atom[]): When {
  const groups: Single[][] = [];
  for (const { single, joint } of atoms) {
    const last = groups.at(-1);
    if (joint === 'all' && last) last.push(single);
    else groups.push([single]);
  }
  return anyOf(groups.map((group) => allOf(group) as When)) as When;
}

function anyOf(conditions: readonly When[]): When | undefined {
  const parts = conditions.flatMap((one) => (one.kind === 'any' ? one.of : [one]));
  return parts.length > 1 ? { kind: 'any', of: parts } : parts[0];
}

/** Single conditions of one task, with its choices spread: spreading doubles them with every `or`. */
const MAX_SINGLES = 200;

/**
 * All of them. A choice among them is spread: `a and (b or c)` is `(a and b) or (a and c)`. AppError `bad_request`
 * where that makes too many.
 */
function allOf(conditions: readonly When[]): When | undefined {
  let choices: Single[][] = [[]];
  for (const one of conditions) {
    const ways = one.kind === 'any' ? one.of : [one];
    const singles = choices.flat().length * ways.length + choices.length * singlesOf(one).length;
    if (singles > MAX_SINGLES) {
      throw new AppError(
        'bad_request',
        `q combines too many conditions: one automation takes at most ${MAX_SINGLES}, each "or" counted with each "or" of the other sentences; make several`,
      );
    }
    choices = choices.flatMap((had) =>
      ways.map((way) => [...had, ...(way.kind === 'all' ? way.of : [way as Single])]),
    );
  }
  const parts = choices
    .filter((choice) => choice.length > 0)
    .map((choice): Single | { kind: 'all'; of: Single[] } =>
      choice.length === 1 ? (choice[0] as Single) : { kind: 'all', of: choice },
    );
  return parts.length > 1 ? { kind: 'any', of: parts } : parts[0];
}

/** How a word is: there or not, by which word, and whether `not` is what makes it so. */
interface Presence {
  readonly gone: boolean;
  readonly negated: boolean;
  /** Behind `but`: what it denies holds for no other word. */
  readonly apart: boolean;
  readonly by: readonly Node[];
}

type Presences = readonly (Presence | undefined)[];

function lastBefore(presences: Presences, at: number): Presence | undefined {
  for (let back = at - 1; back >= 0; back--) if (presences[back]) return presences[back];
  return undefined;
}

class ClauseReader {
  readonly #clause: Clause;
  readonly #text: string;
  readonly #price: boolean;

  constructor(clause: Clause, text: string, price: boolean) {
    this.#clause = clause;
    this.#text = text;
    this.#price = price;
  }

  read(): Atom[] {
    const pages = this.#clause.pieces.flatMap(({ nodes }) => nodes.filter(({ kind }) => kind === 'page'));
    const compared = pages.length >= 2 ? this.#comparison() : undefined;
    if (compared) return [{ single: compared, joint: undefined }];
    const { pieces } = this.#clause;
    const presences = pieces.map((piece) => this.#presence(piece));
    const atoms: Atom[] = [];
    const type = jointType(pieces);
    pieces.forEach((piece, at) => {
      const nodes = piece.nodes.filter((node) => !node.taken);
      const single = this.#numeric(nodes) ?? this.#worded(at, presences) ?? this.#plain(nodes);
      if (!single) return;
      const negated = this.#sharedNegation(at, presences);
      for (const one of Array.isArray(single) ? single : [single]) {
        const joint = atoms.length === 0 ? undefined : negated ? 'all' : jointOf(piece, type);
        atoms.push({ single: one, joint });
      }
      if (piece.joint && (atoms.length > 1 || piece.joint.tags.has('but'))) piece.joint.taken = true;
      share(atoms);
    });
    const nors = pieces.filter(({ joint }) => isNor(joint));
    if (nors.length === 0 || atoms.length === 0) return atoms;
    // `there is not, neither a nor b` says no once.
    take(nors.flatMap(({ joint }) => (joint ? [joint] : [])));
    take(pieces.flatMap(({ nodes }) => nodes.filter((node) => node.tags.has('neg'))));
    return atoms;
  }

  /** `not a or b` is neither, where one negation is for both. */
  #sharedNegation(at: number, presences: Presences): boolean {
    const { pieces } = this.#clause;
    if (isNor(pieces[at]?.joint)) return true;
    const own = presences[at];
    if (own || at === 0) return false;
    const source = lastBefore(presences, at);
    return source?.negated === true && pieces[at]?.joint?.tags.has('or') === true;
  }

  /** Two pages, and which is cheaper. */
  #comparison(): Single | undefined {
    const nodes = this.#clause.pieces.flatMap((piece) => piece.nodes);
    if (nodes.some((node) => node.tags.has('neg') || (!node.taken && COUNTED.includes(node.kind))))
      return undefined;
    const differs = nodes.find((node) => node.tags.has('differ'));
    const comparing = nodes.filter((node) => node.tags.has('below') || node.tags.has('above'));
    // `su` and `sur` may be a place as well.
    const by = comparing.find(({ tags }) => !tags.has('f') && !tags.has('about')) ?? comparing[0];
    if (!by && !differs) return undefined;
    take(nodes.filter((node) => node === by || node === differs || isPrice(node) || node.tags.has('stock')));
    for (const { joint } of this.#clause.pieces) if (joint?.tags.has('and')) joint.taken = true;
    return { kind: 'compare', is: by ? (by.tags.has('below') ? 'below' : 'above') : 'different' };
  }

  #presence({ nodes, joint }: Piece): Presence | undefined {
    const by = nodes.filter(
      (node) => !node.taken && (APPEARING.some((tag) => node.tags.has(tag)) || node.tags.has('gone')),
    );
    if (by.length === 0) return undefined;
    const neg = nodes.filter((node) => !node.taken && node.tags.has('neg') && !by.includes(node));
    const gone = by.some((node) => node.tags.has('gone') && !APPEARING.some((tag) => node.tags.has(tag)));
    const apart = joint?.tags.has('but') === true;
    if (isNor(joint)) return { gone: true, negated: true, apart, by: [...by, ...neg] };
    return { gone: gone !== neg.length > 0, negated: neg.length > 0, apart, by: [...by, ...neg] };
  }

  /** A word that is there, or no longer. */
  #worded(at: number, presences: Presences): Single | Single[] | undefined {
    const piece = this.#clause.pieces[at] as Piece;
    const nodes = piece.nodes.filter((node) => !node.taken);
    const own = presences[at];
    const near = own ?? lastBefore(presences, at) ?? presences.find((one) => one !== undefined);
    const quotes = listed(nodes);
    const negations = nodes.filter((node) => node.tags.has('neg'));
    if (quotes.length > 0 && isAbout(nodes, quotes[0] as Node)) return undefined;
    const unquoted = () =>
      own ? this.#freeWords(nodes, own) : near && piece.joint?.kind === 'word' ? this.#listedWord(nodes) : [];
    const words = quotes.length > 0 ? quotes : unquoted();
    const isAsked = near || this.#clause.condition || negations.length > 0 || this.#waitsFor(quotes[0]);
    if (words.length === 0 || !isAsked) return undefined;
    const isItem = ['new', 'item'].every((tag) => nodes.some((node) => node.tags.has(tag)));
    const gone = isNor(piece.joint) || (own ? own.gone : goneOf(near) !== negations.length > 0);
    take([...words, ...(near?.by ?? []), ...negations]);
    take(nodes.filter((node) => node.tags.has('word') || (node.tags.has('item') && quotes.length === 0)));
    const texts =
      words.length > 1 && quotes.length === 0 ? [this.#span(words)] : words.map(({ text }) => text);
    if (isItem && !gone) {
      take(nodes.filter((node) => node.tags.has('new') || node.tags.has('item')));
      return { kind: 'new', about: texts };
    }
    return texts.map((word): Single => ({ kind: gone ? 'gone' : 'word', word: word.slice(0, MAX_WORD) }));
  }

  /** `watch it for "50% off"`. */
  #waitsFor(quote: Node | undefined): boolean {
    return (
      quote !== undefined &&
      /(?:for|nach|auf|pour|por|per|voor|na|на)\s{0,3}$/iu.test(
        this.#text.slice(Math.max(0, quote.start - 8), quote.start),
      )
    );
  }

  /** Words without quotation marks: behind `contains`, before or behind `appears`. Nothing where more follows. */
  #freeWords(said: readonly Node[], { by }: Presence): Node[] {
    const lead = said.find((node) => by.includes(node) && !node.tags.has('neg'));
    const nodes = said.filter((node) => node === lead || !by.includes(node));
    const verb = nodes.indexOf(lead as Node);
    if (
      !lead ||
      nodes.some(
        (node) =>
          node.tags.has('price') ||
          node.tags.has('title') ||
          node.tags.has('links') ||
          node.tags.has('headings'),
      )
    )
      return [];
    const behind = runOf(nodes, verb + 1, 1);
    const before = runOf(nodes, verb - 1, -1);
    const first = lead.tags.has('contain') && !lead.tags.has('appear') ? [behind, before] : [before, behind];
    const words = first.find((run) => run.length > 0) ?? [];
    const known = nodes.find((node) => node.tags.has('stock') || node.tags.has('nostock'));
    if (words.length === 0 && known) return [known];
    const rest = nodes.filter(
      (node) => !words.includes(node) && !by.includes(node) && node.tags.size === 0 && node.kind === 'word',
    );
    const follows = nodes.slice(nodes.indexOf(words.at(-1) as Node) + 1).find((node) => !by.includes(node));
    const goesOn =
      rest.length > 0 ||
      (follows !== undefined && ['above', 'below', 'change', 'equal'].some((tag) => follows.tags.has(tag)));
    const isNews = nodes.some((node) => node.tags.has('new'));
    return goesOn || isNews ? [] : words;
  }

  /** `contains recall or defect`: the second word of a list. */
  #listedWord(nodes: readonly Node[]): Node[] {
    const said = nodes.filter((node) => node.kind !== 'page' && !isFiller(node));
    return said.length > 0 && said.every((node) => node.tags.size === 0 && node.kind === 'word') ? said : [];
  }

  #span(nodes: readonly Node[]): string {
    return this.#text.slice(nodes[0]?.start, nodes.at(-1)?.end);
  }

  /** A limit of a number, or by how much it moves. */
  #numeric(nodes: readonly Node[]): Single | undefined {
    const [quantity] = numbersIn(nodes);
    const negations = nodes.filter((node) => node.tags.has('neg'));
    const price = nodes.some((node) => isPrice(node)) || this.#price;
    const moving = nodes.find(
      (node) => Object.keys(MOVING).some((tag) => node.tags.has(tag)) && !node.tags.has('f'),
    );
    if (!quantity) return this.#movingOnly(nodes, moving, negations);
    const comparing = comparingOf(nodes, quantity);
    const { currency } = quantity;
    const label = price || currency !== undefined ? undefined : this.#label(nodes, quantity);
    const facts = { ...(currency !== undefined && { currency }), ...(label && { of: label.text }) };
    if (moving && negations.length === 0 && isMovement(nodes, quantity, comparing, price)) {
      take([...quantity.nodes, moving, ...(comparing ? [comparing] : []), ...(label?.nodes ?? [])]);
      const kind = movementOf(moving);
      return { kind, value: Math.abs(quantity.value), ...(quantity.percent && { percent: true }), ...facts };
    }
    if (!comparing) return undefined;
    const limit = limitOf(comparing, negations.length > 0);
    // `it is not below 20 yet` says how it is.
    const unsaid = negations.length > 0 || (limit?.kind === 'equal' && !price);
    if (!limit || (unsaid && !this.#clause.condition)) return undefined;
    take([...quantity.nodes, comparing, ...alike(nodes, limit.kind), ...negations, ...(label?.nodes ?? [])]);
    take(nodes.filter((node) => node === moving || node.tags.has('contain') || node.tags.has('appear')));
    return { ...limit, value: quantity.value, ...facts };
  }

  /** `when the price drops`, `gets cheaper`: by any amount. */
  #movingOnly(
    nodes: readonly Node[],
    moving: Node | undefined,
    negations: readonly Node[],
  ): Single | undefined {
    if (negations.length > 0 || nodes.some(({ kind }) => kind === 'quote')) return undefined;
    const hasPrice = nodes.some((node) => isPrice(node));
    const cheaper =
      hasPrice || this.#clause.condition ? nodes.find((node) => isLoneComparison(node)) : undefined;
    const by = moving && !moving.tags.has('change') ? moving : cheaper;
    if (!by || (!this.#clause.condition && !hasPrice)) return undefined;
    const rises = by.tags.has('rise') || by.tags.has('above');
    const label = hasPrice || this.#price || cheaper ? undefined : this.#label(nodes, undefined);
    take([by, ...(label?.nodes ?? [])]);
    return { kind: rises ? 'rise' : 'drop', value: 0, ...(label && { of: label.text }) };
  }

  /** What a number is of: the words before the comparison, or behind the number. */
  #label(
    nodes: readonly Node[],
    quantity: Quantity | undefined,
  ): { readonly text: string; readonly nodes: readonly Node[] } | undefined {
    const run = nodes.filter(
      (node) =>
        !quantity?.nodes.includes(node) &&
        (isUnknown(node) || node.tags.has('item') || node.tags.has('stock')),
    );
    const first = nodes.indexOf(run[0] as Node);
    const joined = run.filter(
      (node, at) =>
        at === 0 ||
        nodes.slice(first, nodes.indexOf(node)).every((one) => run.includes(one) || isFiller(one)),
    );
    if (joined.length === 0) return undefined;
    const units = nodes.filter((node) => node.tags.has('unit'));
    const counted = nodes.filter((node) => node.tags.has('no') && /^(?:count|number)/.test(node.text));
    return { text: this.#span(joined).slice(0, MAX_WORD), nodes: [...joined, ...units, ...counted] };
  }

  /** Changes, what is new, and whether it can be bought. */
  #plain(nodes: readonly Node[]): Single | undefined {
    const negations = nodes.filter((node) => node.tags.has('neg'));
    const stock = nodes.find((node) => node.tags.has('stock') || node.tags.has('nostock'));
    const commands = nodes.filter((node) => isCommand(node));
    const isAsked =
      this.#clause.condition || commands.every((node) => !node.tags.has('take') && !node.tags.has('save'));
    if (stock && isAsked) {
      const own = negations.filter((node) => node.verbLast || nodes.indexOf(node) < nodes.indexOf(stock));
      const there = stock.tags.has('stock') !== own.length > 0;
      take([stock, ...own, ...nodes.filter((node) => node.tags.has('appear') || node.tags.has('contain'))]);
      return { kind: there ? 'stock' : 'nostock' };
    }
    if (negations.length > 0) return undefined;
    const fresh = nodes.find((node) => node.tags.has('new'));
    const item = nodes.find((node) =>
      ['item', 'links', 'headings', 'feed'].some((tag) => node.tags.has(tag)),
    );
    const appears = nodes.filter((node) => node.tags.has('appear'));
    const change = nodes.find((node) => node.tags.has('change') || node.tags.has('differ'));
    if (item && (fresh || appears.length > 0) && !nodes.some((node) => isPrice(node))) {
      take(nodes.filter((node) => node.tags.has('contain')));
      take([
        ...(fresh ? [fresh] : []),
        ...appears,
        ...(change ? [change] : []),
        ...nodes.filter((node) => node.tags.has('item')),
      ]);
      return { kind: 'new' };
    }
    if (!change && !fresh) return undefined;
    take([...(change ? [change] : []), ...(fresh ? [fresh] : []), ...(fresh ? appears : [])]);
    return { kind: 'change' };
  }
}

/** `falls or rises by 5 %`, `stars over 200 or under 50`: what one part says holds for the other. */
function share(atoms: Atom[]): void {
  const last = atoms.at(-1)?.single;
  const before = atoms.at(-2)?.single;
  if (!last || !before || !('value' in last) || !('value' in before)) return;
  const moves = (one: Single) => one.kind === 'drop' || one.kind === 'rise';
  const [from, to, place] = last.value === 0 && moves(last) ? [before, last, -1] : [last, before, -2];
  if (moves(last) && moves(before) && to.value === 0 && 'value' in from) {
    atoms[atoms.length + place] = {
      ...(atoms.at(place) as Atom),
      single: { ...from, kind: to.kind } as Single,
    };
  } else if (last.of === undefined && last.currency === undefined && before.of !== undefined) {
    atoms[atoms.length - 1] = { ...(atoms.at(-1) as Atom), single: { ...last, of: before.of } };
  }
}

/** What joins the pieces of a clause that have a comma only. */
function jointType(pieces: readonly Piece[]): 'any' | 'all' {
  return pieces.some(({ joint }) => joint?.tags.has('or')) ? 'any' : 'all';
}

function jointOf({ joint }: Piece, type: 'any' | 'all'): 'any' | 'all' {
  if (joint?.tags.has('or')) return 'any';
  return joint?.tags.has('and') || joint?.tags.has('but') || isNor(joint) ? 'all' : type;
}

function isNor(node: Node | undefined): boolean {
  return (
    node !== undefined &&
    (node.tags.has('nor') || (node.tags.has('nor2') && node.text.toLowerCase() === 'noch'))
  );
}

/** Words that compare prices without naming them, by how they begin. */
const CHEAPER =
  /cheap|expens|pric|billig|günst|teur|teuer|cher|barat|car[oa]|econom|convenient|costos|costa|goedko|duur|tani|tańs|droż|droz|дешев|дорож|安|便宜|贵|貴|降价|涨价/iu;

function isCheaper({ text, tags }: Node): boolean {
  return ['below', 'above', 'fall', 'rise'].some((tag) => tags.has(tag)) && CHEAPER.test(text);
}

export function isPrice(node: Node): boolean {
  return node.tags.has('price') || node.tags.has('prices');
}

function isLoneComparison({ text, tags }: Node): boolean {
  return (tags.has('below') || tags.has('above')) && !tags.has('f') && text.length > 4 && !tags.has('about');
}

/** Texts in quotation marks side by side; of two with other words between them the first. */
function listed(nodes: readonly Node[]): Node[] {
  const first = nodes.findIndex(({ kind }) => kind === 'quote');
  const found: Node[] = [];
  for (const node of first < 0 ? [] : nodes.slice(first)) {
    if (node.kind === 'quote') found.push(node);
    else if (!isFiller(node)) break;
  }
  return found;
}

/** Fillers between the words of one thing. */
export function isFiller(node: Node): boolean {
  return ['f', 'f2', 'per', 'at', 'by', 'page', 'both', 'any', 'word', 'about'].some((tag) =>
    node.tags.has(tag),
  );
}

/** A word that no list knows. */
export function isUnknown(node: Node): boolean {
  return node.kind === 'word' && node.tags.size === 0;
}

function take(nodes: readonly Node[]): void {
  for (const node of nodes) node.taken = true;
}

/** Unknown words side by side; fillers lead to them. */
export function runOf(nodes: readonly Node[], from: number, step: 1 | -1): Node[] {
  const run: Node[] = [];
  for (let at = from; at >= 0 && at < nodes.length; at += step) {
    const node = nodes[at] as Node;
    if (isUnknown(node)) run.push(node);
    else if (run.length > 0 || !isFiller(node)) break;
  }
  return step === 1 ? run : run.reverse();
}

function isAbout(nodes: readonly Node[], quote: Node): boolean {
  const before = nodes[nodes.indexOf(quote) - 1];
  return (
    before?.tags.has('about') === true && nodes.some((node) => node.tags.has('item') || node.tags.has('new'))
  );
}

/** The comparison that belongs to a number: the nearest. */
function comparingOf(nodes: readonly Node[], quantity: Quantity): Node | undefined {
  const [first, last] = [
    nodes.indexOf(quantity.nodes[0] as Node),
    nodes.indexOf(quantity.nodes.at(-1) as Node),
  ];
  let best: { readonly node: Node; readonly far: number } | undefined;
  nodes.forEach((node, at) => {
    if (!COMPARING.some((tag) => node.tags.has(tag)) || quantity.nodes.includes(node)) return;
    const between = at < first ? nodes.slice(at + 1, first) : nodes.slice(last + 1, at);
    if (
      !between.every(
        (one) =>
          isFiller(one) ||
          one.tags.has('unit') ||
          one.tags.has('between') ||
          isUnknown(one) ||
          isCurrencyNode(one) ||
          one.tags.has('stock') ||
          one.tags.has('item'),
      )
    )
      return;
    // `20 less than now` is not a limit of 20.
    if (at > first && THAN.has(node.text.toLowerCase().split(' ').at(-1) ?? '')) return;
    // A word that may be a preposition stands right before its number.
    if (node.tags.has('f') && (at > first || between.length > 1)) return;
    const far = between.length + (at < first ? 0 : 0.5);
    if (!best || far < best.far) best = { node, far };
  });
  return best?.node;
}

function isCurrencyNode({ tags }: Node): boolean {
  return [...tags].some(isCurrency);
}

/** `by more than 5 %`, `um 10`. */
function isBy(
  nodes: readonly Node[],
  { nodes: own, percent }: Quantity,
  comparing: Node | undefined,
): boolean {
  const before = nodes[nodes.indexOf(own[0] as Node) - 1];
  const lead =
    comparing && nodes.indexOf(comparing) < nodes.indexOf(own[0] as Node)
      ? nodes[nodes.indexOf(comparing) - 1]
      : undefined;
  return before?.tags.has('by') === true || lead?.tags.has('by') === true || percent;
}

function movementOf({ tags }: Node): 'drop' | 'rise' | 'move' {
  return MOVING[Object.keys(MOVING).find((tag) => tags.has(tag)) ?? ''] ?? 'move';
}

/** Other comparisons of the same kind: `drops to 50 or below`. */
function alike(nodes: readonly Node[], kind: string): Node[] {
  return nodes.filter(
    (node) => COMPARING.some((tag) => node.tags.has(tag)) && limitOf(node, false)?.kind === kind,
  );
}

/** How a word is that has no verb of its own. */
function goneOf(near: Presence | undefined): boolean {
  return near !== undefined && (near.apart && near.negated ? !near.gone : near.gone);
}

/** Whether a number says by how much something moves, and is not a limit. */
function isMovement(
  nodes: readonly Node[],
  quantity: Quantity,
  comparing: Node | undefined,
  price: boolean,
): boolean {
  // `changes` beside a number says nothing of it without `by`.
  const fixed = nodes.some(({ tags }) => tags.has('fall') || tags.has('rise'));
  if (!comparing) return fixed || quantity.percent || isBy(nodes, quantity, comparing);
  return isBy(nodes, quantity, comparing) && (price || !quantity.percent || before(nodes, comparing, 'by'));
}

function before(nodes: readonly Node[], node: Node, tag: string): boolean {
  return nodes[nodes.indexOf(node) - 1]?.tags.has(tag) === true;
}

function limitOf(
  { tags, text }: Node,
  negated: boolean,
): { kind: 'below' | 'above' | 'equal'; inclusive?: true } | undefined {
  const eq = tags.has('belowEq') || tags.has('aboveEq');
  if (tags.has('equal')) return negated ? undefined : { kind: 'equal' };
  const below = tags.has('below') || (tags.has('belowEq') && !tags.has('aboveEq') && !tags.has('above'));
  const above = tags.has('above') || tags.has('aboveEq');
  if (below === above && text === '') return undefined;
  const kind = below !== negated ? 'below' : 'above';
  const inclusive = (eq && !tags.has('below') && !tags.has('above')) !== negated;
  return { kind, ...(inclusive && { inclusive: true as const }) };
}
