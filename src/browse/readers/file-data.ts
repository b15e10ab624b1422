import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { DataItem, StructuredData } from '../extracting/structured.ts';
import type { PageKind } from '../reading/page.ts';
import { parseHtml } from './html/parsing/parse.ts';
import { trimValue, type ValueBudget } from './trim-value.ts';
import { parseXml, textOf, type XmlElement } from './xml.ts';

/** Limits of the extracted data. `MAX_YAML_CHARS` is smaller, because the YAML parser is slow. */
const MAX_CHARS = 2_000_000;
const MAX_THINGS = 20_000;
const MAX_DEPTH = 12;
const MAX_ITEMS = 2000;
const MAX_YAML_CHARS = 200_000;
const MAX_LINES = 5000;
const MAX_HTML_CHARS = 500_000;

/** Returns undefined if the file is broken or contains no data. */
export async function readFileData(
  text: string,
  kind: PageKind,
  { type, path }: { readonly type: string; readonly path: string },
): Promise<StructuredData | undefined> {
  const value = await parsed(text, kind, /yaml/.test(type) || /\.ya?ml$/i.test(path));
  const budget: ValueBudget = { chars: MAX_CHARS, things: MAX_THINGS };
  const whole =
    typeof value === 'object' && value !== null ? trimValue(value, MAX_DEPTH, budget, MAX_ITEMS) : undefined;
  return whole === undefined ? undefined : { linked: [], items: [], meta: {}, pairs: {}, whole };
}

async function parsed(text: string, kind: PageKind, isYaml: boolean): Promise<unknown> {
  try {
    if (isYaml) return await yamlOf(text);
    if (kind === 'json' || kind === 'notebook' || /^\s*[{[]/.test(text)) return jsonOf(text);
    return kind === 'xml' || kind === 'feed' ? xmlOf(text) : undefined;
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  const whole = parseJsonOrNothing(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n', MAX_LINES).map(parseJsonOrNothing);
  return lines.filter((value) => value !== undefined);
}

async function yamlOf(text: string): Promise<unknown> {
  if (text.length > MAX_YAML_CHARS) return undefined;
  const { isScalar, parseAllDocuments, visit } = await import('yaml');
  const documents = [...parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false })];
  const values = documents.slice(0, MAX_LINES).map((one) => {
    // Removes entries whose key is a list or map. Converting a kilobyte of such keys to text can take minutes.
    visit(one, { Pair: (_, { key }) => (isScalar(key) ? undefined : visit.REMOVE) });
    return one.toJS({ maxAliasCount: 100 });
  });
  return values.length === 1 ? values[0] : values;
}

function xmlOf(text: string): unknown {
  const room = { html: MAX_HTML_CHARS };
  const [root] = parseXml(text).children.filter((node) => typeof node !== 'string');
  return root && { [root.name]: memberOf(root, room, 0) };
}

function memberOf(element: XmlElement, room: { html: number }, depth: number): unknown {
  const inner = element.children.filter((node) => typeof node !== 'string');
  const attributes = Object.entries(element.attributes).filter(([name]) => !name.includes(':'));
  const isMarkup = element.attributes.type === 'xhtml';
  const text = inner.length === 0 || isMarkup ? plainOf(textOf(element).trim(), room) : '';
  if (
    (inner.length === 0 &&
      attributes.every(([name]) => /^(?:type|lang|isPermaLink|domain|base)$/.test(name))) ||
    isMarkup
  )
    return text;
  if (depth >= MAX_DEPTH) return undefined;
  const thing: DataItem = { ...Object.fromEntries(attributes), ...(text !== '' && { '#text': text }) };
  for (const [name, all] of Map.groupBy(inner, (one) => one.name)) {
    const list = [...all].slice(0, MAX_ITEMS);
    // Puts the link to a feed entry itself before links to related resources.
    list.sort((a, b) => Number(isOther(a)) - Number(isOther(b)));
    const values = list.map((one) => memberOf(one, room, depth + 1));
    thing[name] = values.length === 1 ? values[0] : values;
  }
  return thing;
}

function isOther({ attributes }: XmlElement): boolean {
  const { rel = 'alternate', type = 'text/html' } = attributes;
  return rel !== 'alternate' || !/html/i.test(type);
}

function plainOf(text: string, room: { html: number }): string {
  if (!/<\/?[a-z][^<]{0,500}>|&[#\w]{2,8};/i.test(text)) return text;
  room.html -= text.length;
  if (room.html < 0) return text;
  return parseHtml(text).textContent.replace(/\s+/g, ' ').trim();
}
