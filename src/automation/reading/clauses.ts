import { hasAny, type TaskPhrase } from './task-phrases.ts';

export interface Clause {
  readonly condition: boolean;
  readonly opposite: boolean;
  readonly partly: boolean;
  readonly pieces: readonly ClausePiece[];
}

export interface ClausePiece {
  readonly nodes: readonly TaskPhrase[];
  readonly joint?: TaskPhrase;
}

const COMMANDS = ['notify', 'send', 'save', 'watch', 'take', 'mailme'];
const OTHERWISE = 'f contain appear item change about price above text new gone once mail feed'.split(' ');
const HARD = new Set(['.', ';', '!', '?', '。', '；', '！', '？', ':', '：', '…', '—']);
const JOINTS = ['or', 'and', 'but', 'nor', 'nor2'];

export function clausesOf(nodes: readonly TaskPhrase[]): Clause[] {
  takeListed(nodes);
  const clauses: Clause[] = [];
  let open = opened();
  const close = () => {
    if (open.nodes.length > 0) clauses.push({ ...open, pieces: piecesOf(open.nodes) });
    open = opened();
  };
  for (const node of nodes) {
    const role = roleOf(node, open);
    if (role === 'end' || role === 'begins' || role === 'command') close();
    if (role === 'begins') {
      open.condition = true;
      open.opposite = node.tags.has('unless');
      if (open.opposite) node.taken = true;
    } else if (role === 'ends') open.condition = true;
    else if (role === 'read') open.partly = true;
    else if (role !== 'end' && role !== 'none') open.nodes.push(node);
    if (role === 'ends' || role === 'last') close();
  }
  close();
  return clauses;
}

type Role = 'read' | 'end' | 'none' | 'begins' | 'ends' | 'command' | 'last' | 'word';

function roleOf(node: TaskPhrase, open: OpenClause): Role {
  if (node.kind === 'mark') return HARD.has(node.text) ? 'end' : isComma(node) ? 'word' : 'none';
  if (node.taken) return 'read';
  if (node.tags.has('unless') || (node.tags.has('if') && !node.tags.has('f'))) return 'begins';
  if (node.tags.has('ifEnd') && open.nodes.some((one) => says(one))) return 'ends';
  if (!isCommand(node)) return 'word';
  if (node.verbLast) return 'last';
  return open.condition || open.nodes.some((one) => isComma(one)) ? 'command' : 'word';
}

/** Marks the `or` in `this page or that one` as understood, because both pages are watched. */
function takeListed(nodes: readonly TaskPhrase[]): void {
  nodes.forEach((node, at) => {
    if (!node.tags.has('or')) return;
    const places = new Set(['page', 'target']);
    const [before, after] = [nodes[at - 1], nodes[at + 1]];
    if (before && after && places.has(before.kind) && before.kind === after.kind) node.taken = true;
  });
}

interface OpenClause {
  partly: boolean;
  condition: boolean;
  opposite: boolean;
  readonly nodes: TaskPhrase[];
}

const opened = (): OpenClause => ({ partly: false, condition: false, opposite: false, nodes: [] });

const says = (node: TaskPhrase): boolean =>
  node.kind !== 'page' && node.kind !== 'mark' && !node.tags.has('f');

export const isCommand = (node: TaskPhrase): boolean =>
  hasAny(node, ...COMMANDS) && !hasAny(node, ...OTHERWISE);

const isComma = (node: TaskPhrase): boolean => node.kind === 'mark' && /^[,，、]$/.test(node.text);

export const isConjunction = (node: TaskPhrase): boolean => isComma(node) || hasAny(node, ...JOINTS);

function piecesOf(nodes: readonly TaskPhrase[]): ClausePiece[] {
  const pieces: ClausePiece[] = [];
  let own: TaskPhrase[] = [];
  let joint: TaskPhrase | undefined;
  for (const node of nodes) {
    if (!isConjunction(node)) {
      own.push(node);
      continue;
    }
    if (own.length > 0 || joint) pieces.push({ nodes: own, ...(joint && { joint }) });
    const bare = own.length === 0 && joint && !isComma(joint) && isComma(node);
    own = [];
    joint = bare ? joint : node;
  }
  if (own.length > 0) pieces.push({ nodes: own, ...(joint && { joint }) });
  return pieces;
}
