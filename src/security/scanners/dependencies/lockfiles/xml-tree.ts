import { Parser } from 'htmlparser2';
import { BrokenLockfileError } from '../lockfile-reader.ts';

export interface LocatedXmlElement {
  readonly name: string;
  readonly at: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: LocatedXmlElement[];
}

const MAX_DEPTH = 100;
const MAX_ELEMENTS = 1_000_000;

/** Parses XML without resolving entities. Throws `BrokenLockfileError` for invalid or too deeply nested XML. */
export function parseXml(text: string): LocatedXmlElement {
  const root: LocatedXmlElement = { name: '', at: 0, attributes: {}, text: '', children: [] };
  const open = [root];
  let count = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++count > MAX_ELEMENTS) throw new BrokenLockfileError(`it has over ${MAX_ELEMENTS} elements`);
        if (open.length > MAX_DEPTH) throw new BrokenLockfileError(`it is nested over ${MAX_DEPTH} deep`);
        const local = name.slice(name.indexOf(':') + 1);
        const element: LocatedXmlElement = {
          name: local,
          at: parser.startIndex,
          attributes,
          text: '',
          children: [],
        };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(piece) {
        const here = open.at(-1);
        if (here && here.text.length < 5000) here.text += piece;
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  parser.end();
  const [first] = root.children;
  if (!first) throw new BrokenLockfileError('it is not XML');
  return first;
}

export const childrenOf = (element: LocatedXmlElement | undefined, name: string): LocatedXmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export function childOf(element: LocatedXmlElement | undefined, name: string): LocatedXmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export const textOf = (element: LocatedXmlElement | undefined, name: string): string | undefined =>
  childOf(element, name)?.text.trim();
