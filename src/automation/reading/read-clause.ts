import { type Clause, type ClausePiece, isCommand } from './clauses.ts';
import { MAX_WORD_CHARS, oppositeOf, type SimpleCondition } from './condition.ts';
import { readAmount } from './read-amount.ts';
import {
  collectUnknownWords,
  getSpanText,
  hasAny,
  isFiller,
  isNor,
  isPrice,
  isWithout,
  markTaken,
  type TaskPhrase,
} from './task-phrases.ts';

const COUNTED: readonly string[] = ['number', 'quote'];
const APPEARING = ['contain', 'appear'];

export interface JoinedCondition {
  readonly single: SimpleCondition;
  readonly joint: 'any' | 'all' | undefined;
}

/** States if a word is present or `gone`. `by`: the phrases that say so. `negated`: one of them is `not`. */
interface Presence {
  readonly gone: boolean;
  readonly negated: boolean;
  /** True if `but` precedes the word, as in "but not on Sunday". Then `not` negates only this word. */
  readonly apart: boolean;
  readonly by: readonly TaskPhrase[];
}

type Presences = readonly (Presence | undefined)[];

function lastBefore(presences: Presences, at: number): Presence | undefined {
  for (let back = at - 1; back >= 0; back--) if (presences[back]) return presences[back];
  return undefined;
}

/** Matches words that compare with the page behind them, as in `cheaper than on <page>`. */
const THAN_ON = /(?:^|\s)(?:than|dan|als|niż|чем)(?: (?:op|bij|auf|bei|on|at|na|на))?$/iu;

function comparesWithPage(nodes: readonly TaskPhrase[]): boolean {
  const at = nodes.findIndex(({ kind }) => kind === 'page');
  return at > 0 && nodes.slice(Math.max(0, at - 2), at).some(({ text }) => THAN_ON.test(text));
}

export class ClauseReader {
  readonly #clause: Clause;
  readonly #text: string;
  readonly #pages: number;
  readonly #context: Parameters<typeof readAmount>[1];

  /** `pages`: number of pages in the whole task. */
  constructor(clause: Clause, text: string, price: boolean, pages: number) {
    this.#clause = clause;
    this.#pages = pages;
    this.#text = text;
    this.#context = { text, price, condition: clause.condition };
  }

  read(): JoinedCondition[] {
    const nodes = this.#clause.pieces.flatMap((piece) => piece.nodes);
    const pages = nodes.filter(({ kind }) => kind === 'page');
    const compared =
      pages.length >= 2 || (this.#pages >= 2 && comparesWithPage(nodes)) ? this.#comparison() : undefined;
    if (compared) return [{ single: compared, joint: undefined }];
    const { pieces } = this.#clause;
    const presences = pieces.map((piece) => this.#presence(piece));
    const atoms: JoinedCondition[] = [];
    const type = pieces.some(({ joint }) => joint?.tags.has('or')) ? 'any' : 'all';
    pieces.forEach((piece, at) => {
      const nodes = piece.nodes.filter((node) => !node.taken);
      const isPriced = nodes.some((node) => isPrice(node));
      const single = this.#singleOf(at, nodes, presences);
      if (!single) return;
      const negated = this.#sharedNegation(at, presences);
      for (const one of Array.isArray(single) ? single : [single]) {
        const joint = atoms.length === 0 ? undefined : negated ? 'all' : jointOf(piece, type);
        atoms.push({ single: one, joint });
      }
      if (piece.joint && (atoms.length > 1 || piece.joint.tags.has('but'))) piece.joint.taken = true;
      if (!isPriced) share(atoms);
    });
    const nors = pieces.filter(({ joint }) => isNor(joint));
    if (nors.length === 0 || atoms.length === 0) return atoms;
    markTaken(nors.flatMap(({ joint }) => (joint ? [joint] : [])));
    markTaken(pieces.flatMap(({ nodes }) => nodes.filter((node) => node.tags.has('neg'))));
    return atoms;
  }

  /** True if an earlier `not` also negates this part, as it negates `b` in `not a or b`. */
  #sharedNegation(at: number, presences: Presences): boolean {
    const { pieces } = this.#clause;
    if (isNor(pieces[at]?.joint)) return true;
    const own = presences[at];
    if (own || at === 0) return false;
    const source = lastBefore(presences, at);
    return source?.negated === true && pieces[at]?.joint?.tags.has('or') === true;
  }

  #singleOf(
    at: number,
    nodes: readonly TaskPhrase[],
    presences: Presences,
  ): SimpleCondition | SimpleCondition[] | undefined {
    const piece = this.#clause.pieces[at] as ClausePiece;
    return (
      this.#denied(piece, readAmount(nodes, this.#context)) ??
      this.#worded(at, presences) ??
      this.#denied(piece, this.#plain(nodes))
    );
  }

  /** Negates a condition that is part of a phrase such as `neither sold out nor under 5`. */
  #denied({ joint }: ClausePiece, single: SimpleCondition | undefined): SimpleCondition | undefined {
    const isDenied = isNor(joint) && this.#clause.pieces.some((one) => one.joint?.tags.has('nor'));
    return single && isDenied ? oppositeOf(single) : single;
  }

  #comparison(): SimpleCondition | undefined {
    const nodes = this.#clause.pieces.flatMap((piece) => piece.nodes);
    if (nodes.some((node) => node.tags.has('neg') || (!node.taken && COUNTED.includes(node.kind))))
      return undefined;
    const differs = nodes.find((node) => node.tags.has('differ'));
    const comparing = nodes.filter((node) => node.tags.has('below') || node.tags.has('above'));
    const by = comparing.find(({ tags }) => !tags.has('f') && !tags.has('about')) ?? comparing[0];
    if (!by && !differs) return undefined;
    markTaken(
      nodes.filter((node) => node === by || node === differs || isPrice(node) || node.tags.has('stock')),
    );
    for (const { joint } of this.#clause.pieces) if (joint?.tags.has('and')) joint.taken = true;
    return { kind: 'compare', is: by ? (by.tags.has('below') ? 'below' : 'above') : 'different' };
  }

  #presence({ nodes, joint }: ClausePiece): Presence | undefined {
    const by = nodes.filter((node) => !node.taken && (hasAny(node, ...APPEARING) || node.tags.has('gone')));
    if (by.length === 0) return undefined;
    const neg = nodes.filter((node) => !node.taken && node.tags.has('neg') && !by.includes(node));
    const gone = by.some((node) => node.tags.has('gone') && !hasAny(node, ...APPEARING));
    const apart = joint?.tags.has('but') === true;
    if (isNor(joint)) return { gone: true, negated: true, apart, by: [...by, ...neg] };
    return { gone: gone !== neg.length > 0, negated: neg.length > 0, apart, by: [...by, ...neg] };
  }

  #worded(at: number, presences: Presences): SimpleCondition | SimpleCondition[] | undefined {
    const piece = this.#clause.pieces[at] as ClausePiece;
    const nodes = piece.nodes.filter((node) => !node.taken);
    const own = presences[at];
    const near = own ?? lastBefore(presences, at) ?? presences.find((one) => one !== undefined);
    const quotes = listed(nodes);
    const negations = nodes.filter((node) => node.tags.has('neg'));
    if (quotes.length > 0 && isAbout(nodes, quotes[0] as TaskPhrase)) return undefined;
    const unquoted = () =>
      own ? this.#freeWords(nodes, own) : near && piece.joint?.kind === 'word' ? this.#listedWord(nodes) : [];
    const words = quotes.length > 0 ? quotes : unquoted();
    const isItem = ['new', 'item'].every((tag) => nodes.some((node) => node.tags.has(tag)));
    const isAsked =
      near ||
      this.#clause.condition ||
      negations.length > 0 ||
      this.#waitsFor(quotes[0]) ||
      (isItem && this.#has(quotes[0]));
    if (words.length === 0 || !isAsked) return undefined;
    const gone = isNor(piece.joint) || (own ? own.gone : goneOf(near) !== negations.length > 0);
    markTaken([...words, ...(near?.by ?? []), ...negations]);
    markTaken(
      nodes.filter((node) => node.tags.has('word') || (node.tags.has('item') && quotes.length === 0)),
    );
    const texts =
      words.length > 1 && quotes.length === 0
        ? [getSpanText(this.#text, words)]
        : words.map(({ text }) => text);
    if (isItem && (!gone || negations.some(isWithout))) {
      markTaken(nodes.filter((node) => node.tags.has('new') || node.tags.has('item')));
      return { kind: 'new', ...(gone ? { without: texts } : { about: texts }) };
    }
    return texts.map(
      (word): SimpleCondition => ({ kind: gone ? 'gone' : 'word', word: word.slice(0, MAX_WORD_CHARS) }),
    );
  }

  #waitsFor(quote: TaskPhrase | undefined): boolean {
    return (
      quote !== undefined &&
      /(?:for|nach|auf|pour|por|per|voor|na|на)\s{0,3}$/iu.test(
        this.#text.slice(Math.max(0, quote.start - 8), quote.start),
      )
    );
  }

  #has(quote: TaskPhrase | undefined): boolean {
    return (
      quote !== undefined &&
      /(?:^|[\s,])(?:with|mit|avec|con|com|met|z|ze|с|со)\s{1,3}$/iu.test(
        this.#text.slice(Math.max(0, quote.start - 8), quote.start),
      )
    );
  }

  #freeWords(said: readonly TaskPhrase[], { by }: Presence): TaskPhrase[] {
    const lead = said.find((node) => by.includes(node) && !node.tags.has('neg'));
    const nodes = said.filter((node) => node === lead || !by.includes(node));
    const verb = nodes.indexOf(lead as TaskPhrase);
    if (!lead || nodes.some((node) => hasAny(node, 'price', 'title', 'links', 'headings'))) return [];
    const behind = collectUnknownWords(nodes, verb + 1, 1);
    const before = collectUnknownWords(nodes, verb - 1, -1);
    const first = lead.tags.has('contain') && !lead.tags.has('appear') ? [behind, before] : [before, behind];
    const words = first.find((run) => run.length > 0) ?? [];
    const known = nodes.find((node) => node.tags.has('stock') || node.tags.has('nostock'));
    if (words.length === 0 && known) return [known];
    const rest = nodes.filter(
      (node) => !words.includes(node) && !by.includes(node) && node.tags.size === 0 && node.kind === 'word',
    );
    const follows = nodes
      .slice(nodes.indexOf(words.at(-1) as TaskPhrase) + 1)
      .find((node) => !by.includes(node));
    const goesOn =
      rest.length > 0 || (follows !== undefined && hasAny(follows, 'above', 'below', 'change', 'equal'));
    const isNews = nodes.some((node) => node.tags.has('new'));
    return goesOn || isNews ? [] : words;
  }

  #listedWord(nodes: readonly TaskPhrase[]): TaskPhrase[] {
    const said = nodes.filter((node) => node.kind !== 'page' && !isFiller(node));
    return said.length > 0 && said.every((node) => node.tags.size === 0 && node.kind === 'word') ? said : [];
  }

  #plain(nodes: readonly TaskPhrase[]): SimpleCondition | undefined {
    const negations = nodes.filter((node) => node.tags.has('neg'));
    const stock = nodes.find((node) => node.tags.has('stock') || node.tags.has('nostock'));
    const commands = nodes.filter((node) => isCommand(node));
    const isAsked =
      this.#clause.condition || commands.every((node) => !node.tags.has('take') && !node.tags.has('save'));
    if (stock && isAsked) {
      const own = negations.filter((node) => node.verbLast || nodes.indexOf(node) < nodes.indexOf(stock));
      const there = stock.tags.has('stock') !== own.length > 0;
      markTaken([
        stock,
        ...own,
        ...nodes.filter((node) => node.tags.has('appear') || node.tags.has('contain')),
      ]);
      return { kind: there ? 'stock' : 'nostock' };
    }
    if (negations.length > 0) return undefined;
    const fresh = nodes.find((node) => node.tags.has('new'));
    const item = nodes.find((node) => hasAny(node, 'item', 'links', 'headings', 'feed'));
    const appears = nodes.filter((node) => node.tags.has('appear'));
    const change = nodes.find((node) => node.tags.has('change') || node.tags.has('differ'));
    if (item && (fresh || appears.length > 0) && !nodes.some((node) => isPrice(node))) {
      markTaken(nodes.filter((node) => node.tags.has('contain')));
      markTaken([
        ...(fresh ? [fresh] : []),
        ...appears,
        ...(change ? [change] : []),
        ...nodes.filter((node) => node.tags.has('item')),
      ]);
      return { kind: 'new' };
    }
    if (!change && !fresh) return undefined;
    markTaken([...(change ? [change] : []), ...(fresh ? [fresh] : []), ...(fresh ? appears : [])]);
    return { kind: 'change' };
  }
}

/** Adds to a condition what its neighbour states: in `falls or rises by 5 %`, `falls` gets the `5 %`. */
function share(atoms: JoinedCondition[]): void {
  const last = atoms.at(-1)?.single;
  const before = atoms.at(-2)?.single;
  if (!last || !before || !('value' in last) || !('value' in before)) return;
  const moves = (one: SimpleCondition) => one.kind === 'drop' || one.kind === 'rise';
  const [from, to, place] = last.value === 0 && moves(last) ? [before, last, -1] : [last, before, -2];
  if (moves(last) && moves(before) && to.value === 0 && 'value' in from) {
    atoms[atoms.length + place] = {
      ...(atoms.at(place) as JoinedCondition),
      single: { ...from, kind: to.kind } as SimpleCondition,
    };
  } else if (last.of === undefined && last.currency === undefined && before.of !== undefined) {
    atoms[atoms.length - 1] = { ...(atoms.at(-1) as JoinedCondition), single: { ...last, of: before.of } };
  }
}

function jointOf({ joint }: ClausePiece, type: 'any' | 'all'): 'any' | 'all' {
  if (joint?.tags.has('or')) return 'any';
  return joint?.tags.has('and') || joint?.tags.has('but') || isNor(joint) ? 'all' : type;
}

function listed(nodes: readonly TaskPhrase[]): TaskPhrase[] {
  const first = nodes.findIndex(({ kind }) => kind === 'quote');
  const found: TaskPhrase[] = [];
  for (const node of first < 0 ? [] : nodes.slice(first)) {
    if (node.kind === 'quote') found.push(node);
    else if (!isFiller(node)) break;
  }
  return found;
}

function isAbout(nodes: readonly TaskPhrase[], quote: TaskPhrase): boolean {
  const before = nodes[nodes.indexOf(quote) - 1];
  return (
    before?.tags.has('about') === true && nodes.some((node) => node.tags.has('item') || node.tags.has('new'))
  );
}

const goneOf = (near: Presence | undefined): boolean =>
  near !== undefined && (near.apart && near.negated ? !near.gone : near.gone);
