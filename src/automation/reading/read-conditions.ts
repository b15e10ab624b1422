import { badRequestError } from '../../errors.ts';
import { type Clause, clausesOf, isCommand } from './clauses.ts';
import { listSimpleConditions, oppositeOf, type SendCondition, type SimpleCondition } from './condition.ts';
import { readRangeLimits } from './quantities.ts';
import { ClauseReader, type JoinedCondition } from './read-clause.ts';
import { isFiller, isPrice, isPriceComparison, type TaskPhrase } from './task-phrases.ts';

export function readConditions(nodes: readonly TaskPhrase[], text: string) {
  const between = readRangeLimits(nodes);
  const clauses = clausesOf(nodes);
  const price = nodes.some((node) => !node.taken && (isPrice(node) || isPriceComparison(node)));
  const pages = nodes.filter(({ kind }) => kind === 'page').length;
  const found = clauses.map((clause) => ({
    clause,
    atoms: new ClauseReader(clause, text, price, pages).read(),
  }));
  const conditions = found.filter(({ clause, atoms }) => clause.condition && atoms.length > 0);
  const mains = found.filter(({ clause, atoms }) => !clause.condition && atoms.length > 0);
  // In `watch for changes when ...`, only the part after `when` is the condition.
  const kept =
    conditions.length === 0
      ? mains
      : mains.filter(({ atoms }) => atoms.some(({ single }) => single.kind !== 'change'));
  const denied = deniedCommand(nodes);
  const isTurned = denied !== undefined && conditions.every(({ atoms }) => hasOpposite(atoms));
  if (isTurned && conditions.length > 0) denied.taken = true;
  const isOpposite = ({ opposite }: Clause) => opposite !== isTurned;
  const opposites = conditions
    .filter(({ clause }) => isOpposite(clause))
    .flatMap(({ atoms }) => atoms.map(({ single }) => oppositeOf(single)));
  const plain = conditions.filter(({ clause }) => !isOpposite(clause)).map(({ atoms }) => combine(atoms));
  const first = anyOf(plain);
  const both = [...kept.map(({ atoms }) => combine(atoms)), ...(first ? [first] : []), ...between];
  const whole = allOf([...both, ...opposites]);
  const missed = found
    .filter(
      ({ clause, atoms }) => clause.condition && !clause.partly && atoms.length === 0 && between.length === 0,
    )
    .flatMap(({ clause }) => unreadSpanOf(clause));
  return {
    when: whole,
    price,
    /** Clauses that could not be read, such as `when the sky is blue`. */
    missed: [...missed, ...clauses.flatMap(bothPages)],
  };
}

const deniedCommand = (nodes: readonly TaskPhrase[]): TaskPhrase | undefined =>
  nodes.find((node, at) => {
    const next = nodes.slice(at + 1, at + 3).find((one) => !isFiller(one));
    return !node.taken && node.tags.has('neg') && next?.tags.has('notify') === true && isCommand(next);
  });

const hasOpposite = (atoms: readonly JoinedCondition[]): boolean =>
  atoms.every(({ single, joint }) => joint !== 'all' && oppositeOf(single) !== single);

/** Reports `both` in `when both pages are in stock` as not understood: pages are checked separately. */
function bothPages({ condition, pieces }: Clause): { start: number; end: number }[] {
  const nodes = pieces.flatMap((piece) => piece.nodes);
  const pages = nodes.filter(({ kind }) => kind === 'page').length;
  return condition && pages > 1 ? nodes.filter(({ tags, taken }) => tags.has('both') && !taken) : [];
}

function unreadSpanOf({ pieces }: Clause): { start: number; end: number }[] {
  const nodes = pieces
    .flatMap((piece) => piece.nodes)
    .filter(({ kind }) => kind !== 'page' && kind !== 'mark' && kind !== 'target');
  const [first, last] = [nodes.find((node) => !isFiller(node)), nodes.findLast((node) => !isFiller(node))];
  return first && last && !nodes.every((node) => node.taken || isFiller(node) || isCommand(node))
    ? [{ start: first.start, end: last.end }]
    : [];
}

/** Joins `and` before `or`: `a or b and c` is `a or (b and c)`. */
function combine(atoms: readonly JoinedCondition[]): SendCondition {
  const groups: SimpleCondition[][] = [];
  for (const { single, joint } of atoms) {
    const last = groups.at(-1);
    if (joint === 'all' && last) last.push(single);
    else groups.push([single]);
  }
  return anyOf(groups.map((group) => allOf(group) as SendCondition)) as SendCondition;
}

function anyOf(conditions: readonly SendCondition[]): SendCondition | undefined {
  const parts = conditions.flatMap((one) => (one.kind === 'any' ? one.of : [one]));
  return parts.length > 1 ? { kind: 'any', of: parts } : parts[0];
}

/** Maximum number of simple conditions after expansion, because each `or` may double the number. */
const MAX_SINGLES = 200;

/** Expands `a and (b or c)` to `(a and b) or (a and c)`. Throws AppError `bad_request` above `MAX_SINGLES`. */
function allOf(conditions: readonly SendCondition[]): SendCondition | undefined {
  let choices: SimpleCondition[][] = [[]];
  for (const one of conditions) {
    const ways = one.kind === 'any' ? one.of : [one];
    const singles = choices.flat().length * ways.length + choices.length * listSimpleConditions(one).length;
    if (singles > MAX_SINGLES) {
      throw badRequestError(
        `q combines too many conditions: one automation takes at most ${MAX_SINGLES}, each "or" counted with each "or" of the other sentences; make several`,
      );
    }
    choices = choices.flatMap((had) =>
      ways.map((way) => [...had, ...(way.kind === 'all' ? way.of : [way as SimpleCondition])]),
    );
  }
  const parts = choices
    .filter((choice) => choice.length > 0)
    .map((choice): SimpleCondition | { kind: 'all'; of: SimpleCondition[] } =>
      choice.length === 1 ? (choice[0] as SimpleCondition) : { kind: 'all', of: choice },
    );
  return parts.length > 1 ? { kind: 'any', of: parts } : parts[0];
}
