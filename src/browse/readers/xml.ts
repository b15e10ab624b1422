import { Parser } from 'htmlparser2';

/** An XML element. `name` usually lacks the prefix (`p` for `w:p`), because each file chooses its own. */
export interface XmlElement {
  readonly name: string;
  /** Attributes by full and by local name: the value of `w:val` is also under `val`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

const MAX_DEPTH = 250;
const MAX_ELEMENTS = 2_000_000;
const MAX_DEPTH_BEFORE_GIVING_UP = 2000;

interface OpenElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
}

export function parseXml(text: string, prefixed?: RegExp): XmlElement {
  const root: OpenElement = { name: '', attributes: Object.create(null), children: [] };
  const open: OpenElement[] = [root];
  let [skipped, count] = [0, 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > MAX_DEPTH || ++count > MAX_ELEMENTS) {
          if (++skipped > MAX_DEPTH_BEFORE_GIVING_UP) parser.pause();
          return;
        }
        const element: OpenElement = {
          name: prefixed?.test(name) ? name : local(name),
          attributes: Object.create(null),
          children: [],
        };
        for (const [key, value] of Object.entries(attributes)) {
          element.attributes[local(key)] ??= value;
          element.attributes[key] = value;
        }
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(data) {
        const children = open.at(-1)?.children ?? [];
        const last = children.at(-1);
        if (typeof last === 'string') children[children.length - 1] = last + data;
        else children.push(data);
      },
      onclosetag() {
        if (skipped > 0) skipped--;
        else if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return root;
}

export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): boolean;
  text(text: string): void;
  close(name: string): void;
}

export function scanXml(text: string, { open, text: onText, close }: XmlHandler): void {
  let [depth, isOver] = [0, false];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (isOver) return;
        const bare = Object.entries(attributes).map(([key, value]) => [local(key), value] as const);
        isOver = ++depth > MAX_DEPTH_BEFORE_GIVING_UP || !open(local(name), Object.fromEntries(bare));
        if (isOver) parser.pause();
      },
      ontext: (data) => isOver || onText(data),
      onclosetag(name) {
        depth--;
        if (!isOver) close(local(name));
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
}

const NAME = /^[A-Za-z_][\w.-]{0,100}(?::[A-Za-z_][\w.-]{0,100})?$/;

/** Repairs XML, because the parsers of some libraries take minutes for broken XML. */
export function repairXml(text: string): string {
  const out: string[] = [];
  const open: boolean[] = [];
  let inside = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const kept = NAME.test(name) && inside < MAX_DEPTH && (inside > 0 || out.length === 0);
        open.push(kept);
        if (kept) inside++;
        if (open.length > MAX_DEPTH + MAX_DEPTH_BEFORE_GIVING_UP) parser.pause();
        if (!kept) return;
        const pairs = Object.entries(attributes).filter(([key]) => NAME.test(key));
        out.push(`<${name}${pairs.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')}>`);
      },
      ontext(data) {
        if (inside > 0) out.push(escapeXml(data));
      },
      onclosetag(name) {
        if (!open.pop()) return;
        inside--;
        out.push(`</${name}>`);
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return out.join('');
}

function escapeXml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== 'string';

export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  const elements = element?.children.filter(isElement) ?? [];
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

export function findByPath(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let found = element;
  for (const name of path) found = childrenOf(found, name)[0];
  return found;
}

export function findAllBelow(element: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === 'string') continue;
      if (child.name === name) found.push(child);
      else visit(child);
    }
  };
  if (element) visit(element);
  return found;
}

export function textOf(node: XmlNode | undefined): string {
  if (node === undefined) return '';
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
