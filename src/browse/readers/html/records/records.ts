import type { DataItem } from '../../../extracting/structured.ts';
import { readPairs } from '../markdown/label-pairs.ts';
import { isRecordName, splitClassNames } from '../parsing/class-words.ts';
import { descendants, type HtmlElement } from '../parsing/node.ts';
import { type ReadBudget, readFields } from './record-fields.ts';
import { plainText } from './record-text.ts';

const MAX_GROUPS = 60;
const MAX_MEMBERS = 300;
const MAX_NODES = 60_000;
const MAX_CHARS = 400_000;
const MAX_PATHS = 20_000;
const MAX_DEPTH = 60;
const MANY = 3;
const TAGS = /^(?:li|tr|article|div|section|a|dl|figure|details|[a-z]+-[a-z-]+)$/;
const BARE = /^(?:li|tr|article)$/;
const FRAME = /^(?:nav|footer)$/;
const FRAME_ROLE = /^(?:navigation|banner|contentinfo|menu|menubar)$/;
const FRAME_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navigation|breadcrumbs?|pagination|mega-?menu|(?:main|top|side|mobile|primary|drop-?down)-?menu|sub-?menu|menu-item-(?:type|object|\d))/i;

export interface PageRecords {
  readonly records: readonly (readonly DataItem[])[];
  readonly classed: DataItem;
  readonly labelled: DataItem;
}

interface RecordGroup {
  readonly path: Path;
  readonly members: HtmlElement[];
  readonly heading: HtmlElement | undefined;
  chars: number;
}

interface Path {
  readonly signature: string;
  readonly parent: Path | undefined;
  readonly depth: number;
  readonly inner: Map<string, Path>;
  group: RecordGroup | undefined;
}

export function readRecords(root: HtmlElement, url: string): PageRecords {
  const groups = groupsOf(root)
    .filter(({ members, chars }) => chars > 0 && (members.length > 1 || isSingle(members[0])))
    .sort((a, b) => b.chars - a.chars)
    .slice(0, MAX_GROUPS);
  const reading: ReadBudget = { url, nodes: MAX_NODES, chars: MAX_CHARS };
  const read = groups.flatMap((group) => {
    const things = readGroup(group, reading);
    return things.length > 0 ? [{ group, things }] : [];
  });
  const kept = read.filter(
    (one) => !read.some((inner) => isWithin(inner.group, one.group) && isBetter(inner, one)),
  );
  const others = new Set(
    kept.flatMap(({ group, things }) =>
      things.length >= MANY || isSingle(group.members[0]) ? group.members : [],
    ),
  );
  const isOther = (element: HtmlElement) => others.has(element) || isFrame(element);
  const pageReading = { url, nodes: MAX_NODES, chars: MAX_CHARS };
  const classed = readFields(root, pageReading, { own: new Set(), isOther, isPage: true });
  const shown = new Set(
    kept.filter((one) => one.things.length >= MANY && isTitled(one)).flatMap(({ group }) => group.members),
  );
  const labelled = readPairs(root, (element) => shown.has(element) || isFrame(element));
  return { records: kept.map(({ things }) => things), classed, labelled };
}

function isSingle(member: HtmlElement | undefined): boolean {
  return member !== undefined && isRecordName(splitClassNames(member));
}

function readGroup({ members, heading }: RecordGroup, reading: ReadBudget): DataItem[] {
  const [first] = members;
  const called = first ? splitClassNames(first) : [];
  const own = new Set(called.flat());
  const inGroup = new Set(members);
  const over = heading
    ? plainText(heading, 60)
        .replace(/[^\p{L}\s]/gu, ' ')
        .trim()
    : '';
  const type = [...new Set([...called.map((words) => words.join('')), ...called.flat(), over])].filter(
    Boolean,
  );
  const how = { own, isOther: (element: HtmlElement) => inGroup.has(element), isPage: false };
  const things: DataItem[] = [];
  for (const member of members.slice(0, MAX_MEMBERS)) {
    if (reading.nodes <= 0 || reading.chars <= 0) break;
    const { '@heading': _, ...thing } = readFields(member, reading, how);
    if (Object.keys(thing).length > 0)
      things.push({ '@type': type, '@chars': plainText(member, 2000).length, ...thing });
  }
  return things;
}

interface GroupRecords {
  readonly group: RecordGroup;
  readonly things: readonly DataItem[];
}

function isWithin(inner: RecordGroup, outer: RecordGroup): boolean {
  for (let at = inner.path.parent; at; at = at.parent) if (at === outer.path) return true;
  return false;
}

function isBetter(inner: GroupRecords, outer: GroupRecords): boolean {
  return (
    inner.group.members.length >= 2 * outer.group.members.length &&
    inner.group.chars >= 0.6 * outer.group.chars &&
    isTitled(inner)
  );
}

function isTitled({ things }: GroupRecords): boolean {
  const titled = things.filter(
    ({ title, url, price }) => title !== undefined && (url !== undefined || price !== undefined),
  );
  return titled.length >= 0.7 * things.length;
}

function groupsOf(root: HtmlElement): RecordGroup[] {
  const groups: RecordGroup[] = [];
  const top: Path = pathOf('', undefined);
  const open: {
    readonly element: HtmlElement;
    readonly path: Path;
    readonly before: number;
    readonly framed: boolean;
  }[] = [];
  let [chars, paths] = [0, 0];
  let heading: HtmlElement | undefined;
  const close = (depth: number): void => {
    for (let last = open.at(-1); last && last.element.depth >= depth; last = open.at(-1)) {
      open.pop();
      if (last.path.group) last.path.group.chars += chars - last.before;
    }
  };
  for (const node of descendants(root)) {
    if (node.nodeType === 3) {
      chars += node.data.trim().length;
      continue;
    }
    close(node.depth);
    if (/^h[1-6]$/.test(node.tag)) heading = node;
    const parent = open.at(-1)?.path ?? top;
    const signature = signatureOf(node);
    let path = parent.inner.get(signature) ?? recurring(parent, signature);
    if (!path && paths < MAX_PATHS && parent.depth < MAX_DEPTH) {
      path = pathOf(signature, parent);
      parent.inner.set(signature, path);
      paths++;
    }
    if (!path) continue;
    const framed = open.at(-1)?.framed === true || isFrame(node);
    open.push({ element: node, path, before: chars, framed });
    if (framed || !isCandidate(node, signature)) continue;
    if (!path.group) {
      path.group = { path, members: [], heading, chars: 0 };
      groups.push(path.group);
    }
    path.group.members.push(node);
  }
  close(0);
  return groups;
}

function isFrame({ tag, attributes }: HtmlElement): boolean {
  const { role = '', class: classes = '', id = '' } = attributes;
  return (
    FRAME.test(tag) ||
    FRAME_ROLE.test(role) ||
    FRAME_NAME.test(classes.slice(0, 300)) ||
    FRAME_NAME.test(id.slice(0, 100))
  );
}

function pathOf(signature: string, parent: Path | undefined): Path {
  return { signature, parent, depth: (parent?.depth ?? 0) + 1, inner: new Map(), group: undefined };
}

function recurring(parent: Path, signature: string): Path | undefined {
  if (!signature.includes('.')) return undefined;
  for (let at: Path | undefined = parent; at; at = at.parent) if (at.signature === signature) return at;
  return undefined;
}

function isCandidate({ tag }: HtmlElement, signature: string): boolean {
  return TAGS.test(tag) && (BARE.test(tag) || signature.includes('.'));
}

const STATE =
  /^(?:active|first|last|odd|even|selected|current|alt\d?|sticky|featured|promoted|new|sale|instock|outofstock|clearfix|category-.*|tag-.*|post-\d.*|status-.*|format-.*)$/;

function signatureOf({ tag, attributes }: HtmlElement): string {
  const tokens = (attributes.class ?? '').slice(0, 300).split(/\s+/);
  const name = tokens.find((token) => token.length > 2 && !STATE.test(token));
  return name === undefined ? tag : `${tag}.${name.replace(/\d+/g, '0')}`;
}
