import { TextDecoder } from '@exodus/bytes/encoding.js';

const TABLES = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Encodes a text in an encoding from before UTF-8. Throws an Error for a character that the encoding lacks. */
export function encodeLegacy(text: string, encoding: string): Buffer {
  if (encoding === 'iso-2022-jp') return encodeIso2022Jp(text);
  const table = tableOf(encoding);
  return Buffer.from([...text].flatMap((char) => bytesOf(table, char, encoding)));
}

function bytesOf(
  table: ReadonlyMap<string, readonly number[]>,
  char: string,
  encoding: string,
): readonly number[] {
  const bytes = char < '\x80' ? [char.charCodeAt(0)] : table.get(char);
  if (!bytes) throw new Error(`${encoding} has no ${char}`);
  return bytes;
}

/** Builds the table from what each byte, and each pair of bytes, is decoded to. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = TABLES.get(encoding);
  if (known) return known;
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  for (let first = 0x80; first < 0x100; first++) add(first);
  if (!/^(?:windows|iso|koi8)/.test(encoding)) {
    for (let first = 0x81; first < 0xff; first++)
      for (let second = 0x40; second < 0xff; second++) add(first, second);
  }
  TABLES.set(encoding, table);
  return table;
}

function encodeIso2022Jp(text: string): Buffer {
  const parts = text.split(/([^\0-\x7f]+)/).map((part) => {
    if (part < '\x80') return Buffer.from(part, 'latin1');
    const pairs = encodeLegacy(part, 'euc-jp').map((byte) => byte & 0x7f);
    return Buffer.concat([Buffer.from('\x1b$B', 'latin1'), pairs, Buffer.from('\x1b(B', 'latin1')]);
  });
  return Buffer.concat(parts);
}
