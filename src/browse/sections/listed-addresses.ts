import { splitBlocks } from '../reducing/blocks.ts';
import { isAddressed, linksIn } from './addresses.ts';

/** The number of each address that the links of a text lead to, from 1 in its order. */
export type AddressNumbers = ReadonlyMap<string, number>;

/** A text whose links have numbers, and the addresses that these stand for. */
export interface Listed {
  readonly text: string;
  readonly addresses: readonly (readonly [number: number, address: string])[];
}

/** Where a link leads, without the brackets and the title. */
const BARE = /^\(<?([^<>\s]*?)>?(?: "[^"]*")?\)$/;

/** Numbers the addresses of a whole text, so that its parts have the same numbers wherever they are cut. Linear. */
export function numberAddresses(markdown: string): AddressNumbers {
  const numbers = new Map<string, number>();
  for (const { text, kind } of splitBlocks(markdown)) {
    if (kind === 'code' || !text.includes('](')) continue;
    for (const [, address] of addressesOf(text))
      if (!numbers.has(address)) numbers.set(address, numbers.size + 1);
  }
  return numbers;
}

/** A part of that text with `[words][3]` in the place of `[words](address)`; code and pictures stay. Linear. */
export function listAddresses(part: string, numbers: AddressNumbers): Listed {
  const used = new Map<number, string>();
  const text = splitBlocks(part)
    .map(({ kind, text, gap }) => (kind === 'code' ? text : withNumbers(text, numbers, used)) + gap)
    .join('');
  return { text, addresses: [...used] };
}

function withNumbers(text: string, numbers: AddressNumbers, used: Map<number, string>): string {
  if (!text.includes('](')) return text;
  let at = 0;
  let written = '';
  for (const [{ end, done }, address] of addressesOf(text)) {
    const number = numbers.get(address);
    if (number === undefined) continue;
    used.set(number, address);
    written += `${text.slice(at, end + 1)}[${number}]`;
    at = done;
  }
  return written + text.slice(at);
}

/** The links of a text that is not code, with where they lead. */
function addressesOf(text: string) {
  return linksIn(text).flatMap((link) => {
    if (text[link.begin - 1] === '!' || !isAddressed(text, link)) return [];
    const address = BARE.exec(text.slice(link.end + 1, link.done))?.[1] ?? '';
    return address === '' || text.slice(link.begin + 1, link.end).trim() === ''
      ? []
      : [[link, address] as const];
  });
}

/** The mark of a link with a number; a text may have what only resembles one. */
const MARK = /\]\[(\d{1,7})\]/g;

/** A text with the list of those addresses under it that it still has links to, one a line, as Markdown names them. */
export function withList(text: string, addresses: Listed['addresses']): string {
  if (addresses.length === 0) return text;
  const marks = new Set(Array.from(text.matchAll(MARK), ([, number]) => Number(number)));
  const lines = addresses
    .filter(([number]) => marks.has(number))
    .map(([number, address]) => `[${number}]: ${address}`);
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n${lines.join('\n')}`;
}
