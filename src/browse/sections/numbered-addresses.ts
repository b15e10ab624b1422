import { splitBlocks } from '../reducing/blocks.ts';
import { findLinks, isLinkAddress } from './addresses.ts';

export type LinkAddressNumbers = ReadonlyMap<string, number>;

export type NumberedText = ReturnType<typeof replaceAddressesByNumbers>;

const BARE = /^\(<?([^<>\s]*?)>?(?: "[^"]*")?\)$/;

/** Numbers the addresses of a whole text, so that all parts use the same numbers. Takes linear time. */
export function numberAddresses(markdown: string): LinkAddressNumbers {
  const numbers = new Map<string, number>();
  for (const { text, kind } of splitBlocks(markdown)) {
    if (kind === 'code' || !text.includes('](')) continue;
    for (const [, address] of addressesOf(text))
      if (!numbers.has(address)) numbers.set(address, numbers.size + 1);
  }
  return numbers;
}

/** Replaces `[words](address)` by `[words][3]`, except in code and pictures. Takes linear time. */
export function replaceAddressesByNumbers(part: string, numbers: LinkAddressNumbers) {
  const used = new Map<number, string>();
  const text = splitBlocks(part)
    .map(({ kind, text, gap }) => (kind === 'code' ? text : withNumbers(text, numbers, used)) + gap)
    .join('');
  return { text, addresses: [...used] };
}

function withNumbers(text: string, numbers: LinkAddressNumbers, used: Map<number, string>): string {
  if (!text.includes('](')) return text;
  let at = 0;
  let written = '';
  for (const [{ wordsEnd, addressEnd }, address] of addressesOf(text)) {
    const number = numbers.get(address);
    if (number === undefined) continue;
    used.set(number, address);
    written += `${text.slice(at, wordsEnd + 1)}[${number}]`;
    at = addressEnd;
  }
  return written + text.slice(at);
}

function addressesOf(text: string) {
  return findLinks(text).flatMap((link) => {
    if (text[link.wordsStart - 1] === '!' || !isLinkAddress(text, link)) return [];
    const address = BARE.exec(text.slice(link.wordsEnd + 1, link.addressEnd))?.[1] ?? '';
    return address === '' || text.slice(link.wordsStart + 1, link.wordsEnd).trim() === ''
      ? []
      : [[link, address] as const];
  });
}

const MARK = /\]\[(\d{1,7})\]/g;

export function appendAddressList(text: string, addresses: NumberedText['addresses']): string {
  if (addresses.length === 0) return text;
  const marks = new Set(Array.from(text.matchAll(MARK), ([, number]) => Number(number)));
  const lines = addresses
    .filter(([number]) => marks.has(number))
    .map(([number, address]) => `[${number}]: ${address}`);
  return lines.length === 0 ? text : `${text.trimEnd()}\n\n${lines.join('\n')}`;
}
