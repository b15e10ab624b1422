/** A stream's bytes, or a storage of streams and storages, by their names. */
export interface OleTree {
  readonly [name: string]: Uint8Array | OleTree;
}

const SECTOR = 512;
const MINI = 64;
const [END, FAT, NONE] = [0xfffffffe, 0xfffffffd, 0xffffffff];

interface Entry {
  name: string;
  type: number;
  right: number;
  child: number;
  start: number;
  bytes: Uint8Array;
}

/** A compound file of Microsoft ([MS-CFB], version 3): short streams in the root's, long ones in sectors of their own. */
export function makeOle(tree: OleTree): Buffer {
  const root: Entry = {
    name: 'Root Entry',
    type: 5,
    right: NONE,
    child: NONE,
    start: END,
    bytes: Buffer.alloc(0),
  };
  const entries = [root];
  addChildren(entries, root, tree);
  const short = entries.filter(({ type, bytes }) => type === 2 && bytes.length > 0 && bytes.length < 4096);
  const miniFat: number[] = [];
  for (const entry of short) entry.start = addChain(miniFat, Math.ceil(entry.bytes.length / MINI));
  root.bytes = Buffer.concat(short.map(({ bytes }) => padded(bytes, MINI)));
  const fat: number[] = [];
  const parts: Uint8Array[] = [];
  const place = (bytes: Uint8Array) => {
    if (bytes.length === 0) return END;
    parts.push(padded(bytes, SECTOR));
    return addChain(fat, Math.ceil(bytes.length / SECTOR));
  };
  for (const entry of entries) {
    if (entry === root || entry.bytes.length >= 4096) entry.start = place(entry.bytes);
  }
  const miniStart = place(words(miniFat));
  const directory = place(padded(Buffer.concat(entries.map(entryBytes)), SECTOR));
  // The table of sectors comes last, and says of its own sectors that they are its.
  let tables = 1;
  while (tables * (SECTOR / 4) < fat.length + tables) tables++;
  const first = fat.length;
  for (let at = 0; at < tables; at++) fat.push(FAT);
  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 76);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [at, value] of [
    [44, tables],
    [48, directory],
    [56, 4096],
    [60, miniStart],
    [64, Math.ceil(miniFat.length / (SECTOR / 4))],
    [68, END],
  ] as const)
    header.writeUInt32LE(value, at);
  for (let at = 0; at < tables; at++) header.writeUInt32LE(first + at, 76 + 4 * at);
  return Buffer.concat([header, ...parts, padded(words(fat), SECTOR, 0xff)]);
}

/** Those of one storage hang in a row. */
function addChildren(entries: Entry[], parent: Entry, tree: OleTree): void {
  let last: Entry | undefined;
  for (const [name, content] of Object.entries(tree)) {
    const isStream = content instanceof Uint8Array;
    const bytes = isStream ? content : Buffer.alloc(0);
    const entry: Entry = { name, type: isStream ? 2 : 1, right: NONE, child: NONE, start: 0, bytes };
    const at = entries.push(entry) - 1;
    if (last) last.right = at;
    else parent.child = at;
    last = entry;
    if (!isStream) addChildren(entries, entry, content as OleTree);
  }
}

function addChain(table: number[], length: number): number {
  const start = table.length;
  for (let at = 1; at <= length; at++) table.push(at === length ? END : start + at);
  return start;
}

function entryBytes({ name, type, right, child, start, bytes }: Entry): Buffer {
  const entry = Buffer.alloc(128);
  entry.write(name, 'utf16le');
  entry.writeUInt16LE(2 * name.length + 2, 64);
  entry.writeUInt8(type, 66);
  for (const [at, value] of [
    [68, NONE],
    [72, right],
    [76, child],
    [116, start],
    [120, bytes.length],
  ] as const)
    entry.writeUInt32LE(value, at);
  return entry;
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}

function padded(bytes: Uint8Array, unit: number, filler = 0): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit, filler)]);
}
