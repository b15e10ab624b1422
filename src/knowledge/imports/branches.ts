import { asObject, type ImportFields, parseTimeMicros, toListOrEmpty } from '../importing/import-values.ts';
import type { SkippedCounter } from './skipped-counter.ts';

interface MessageNode {
  readonly id: unknown;
  /** Id of the message above. */
  readonly parent: unknown;
  readonly time: number;
  readonly message: ImportFields;
}

export interface BranchOptions {
  readonly leaf: unknown;
  readonly program: string;
  readonly leftOut: SkippedCounter;
  readonly isSaid: (message: ImportFields) => boolean;
}

/**
 * Returns the messages of the branch that a program shows, from the first one on: the branch that ends with `leaf`,
 * otherwise the one with the newest message. A conversation without branches is returned whole.
 */
export function readShownBranch(
  tree: object,
  { leaf, program, leftOut, isSaid }: BranchOptions,
): ImportFields[] {
  const nodes = nodesOf(tree);
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const parents = new Set(nodes.map(({ parent }) => parent).filter((parent) => places.has(parent)));
  if (parents.size === 0) return nodes.map(({ message }) => message);
  const ends = nodes.filter(({ id }) => !parents.has(id));
  const newest = (ends.length > 0 ? ends : nodes).reduce((one, other) =>
    other.time >= one.time ? other : one,
  );
  const root = nodes[0]?.parent;
  const shown = new Set<MessageNode>();
  let at = places.get(leaf) ?? nodes.indexOf(newest);
  for (let node = nodes[at]; node && !shown.has(node); node = nodes[at]) {
    shown.add(node);
    // If a list lacks the parent, the message before this one is taken as the parent.
    const isStart = !Array.isArray(tree) || (node.parent ?? root) === root;
    at = places.get(node.parent) ?? (isStart ? -1 : at - 1);
  }
  const others = nodes.filter((node) => !shown.has(node) && isSaid(node.message));
  leftOut.add(`a message of a branch that ${program} does not show`, others.length);
  return [...shown].reverse().map(({ message }) => message);
}

const ID = /^(?:message_?)?(?:id|uuid)$/i;
const PARENT = /^parent_?(?:message_?)?(?:id|uuid)?$/i;
const LEAF = /^(?:current|active|last)_?(?:(?:leaf|node|message|id|uuid)_?){1,3}$/i;
const ROLE = /^(?:user|human|assistant|ai|bot|model|system|developer|tool|function)$/i;
const MADE = /^(?:timestamp|(?:created?|inserted)(?:_?(?:at|time))?)$/i;

const readFieldNamed = (fields: ImportFields, pattern: RegExp): unknown =>
  Object.entries(fields).find(([name]) => pattern.test(name))?.[1];

const hasParent = (value: unknown): boolean => Object.keys(asObject(value)).some((name) => PARENT.test(name));

/** Returns the message in a node. DeepSeek writes a message as parts, of which only a question has its speaker. */
function messageOf(node: ImportFields): ImportFields {
  const inner = asObject(node.message);
  const message: ImportFields = node.message === inner ? { ...node, message: undefined, ...inner } : node;
  const { fragments, ...others } = message;
  const parts = toListOrEmpty(fragments).map(asObject);
  if (parts.length === 0) return message;
  const said = parts.filter(({ type }) => !/^(?:THINK|SEARCH)$/.test(String(type)));
  const role = parts.some(({ type }) => type === 'REQUEST') ? 'user' : 'assistant';
  return { ...others, role, content: said.map(({ content }) => content).join('\n\n') };
}

/** Returns the messages of a tree: of a list, of an object by their ids, or of lists `children` in each message. */
function nodesOf(tree: object, above?: unknown): MessageNode[] {
  return Object.entries(tree).flatMap(([key, one]) => {
    const { children, ...node } = asObject(one);
    const message = messageOf(
      Object.fromEntries(Object.entries(node).filter(([name]) => !PARENT.test(name))),
    );
    const id = readFieldNamed(node, ID) ?? key;
    const below = toListOrEmpty(children).filter((child) => Object.keys(asObject(child)).length > 0);
    const time = parseTimeMicros(readFieldNamed(message, MADE)) ?? 0;
    return [{ id, parent: readFieldNamed(node, PARENT) ?? above, time, message }, ...nodesOf(below, id)];
  });
}

interface MessageTree {
  /** Names of the fields of the chat that are the tree and its leaf. */
  readonly names: readonly string[];
  readonly tree: object;
  readonly leaf: unknown;
}

/**
 * Finds the tree of messages of a chat with an assistant, such as `history.messages` with `history.currentId`.
 * Returns undefined for a list whose parents are only what a message replies to.
 */
export function findMessageTree(
  chat: ImportFields,
  isMessage: (value: unknown) => boolean,
): MessageTree | undefined {
  const isTurn = (value: unknown) => {
    const message = messageOf(asObject(value));
    return isMessage(message) && (message.role ?? message.isCreatedByUser) !== undefined;
  };
  // In a list of messages of people, whose roles are such as `admin`, parents are what a message replies to.
  const isOfModel = (value: unknown) => ROLE.test(String(messageOf(asObject(value)).role ?? 'user'));
  const leaves = Object.keys(chat).filter((name) => LEAF.test(name));
  const found = Object.entries(chat).flatMap(([name, one]) => {
    // A container of a tree has little beside it. An object with more fields is a chat of its own.
    const inner = Object.values(Object.keys(asObject(one)).length <= 3 ? asObject(one) : {});
    return [one, ...inner].flatMap((tree): MessageTree[] => {
      const list = Object.values(Array.isArray(tree) ? tree : asObject(tree));
      if (!list.some(isTurn) || !list.every(hasParent)) return [];
      if (Array.isArray(tree) && !list.every(isOfModel)) return [];
      const leaf = readFieldNamed(asObject(one), LEAF) ?? readFieldNamed(chat, LEAF);
      return [{ names: [name, ...leaves], tree: tree as object, leaf }];
    });
  });
  return found.find(({ leaf }) => leaf !== undefined) ?? found[0];
}
