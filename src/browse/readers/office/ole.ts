/** Byte offsets in the header ([MS-CFB] 2.2) and in a directory entry (2.6.1) of a compound file. */
const HEADER = {
  sectorShift: 30,
  fatSectors: 44,
  directory: 48,
  miniFat: 60,
  listStart: 68,
  listSectors: 72,
  list: 76,
  end: 512,
} as const;
const ENTRY = {
  nameBytes: 64,
  type: 66,
  left: 68,
  right: 72,
  child: 76,
  start: 116,
  size: 120,
  end: 128,
} as const;
const NONE = 0xffffffff;
/** Values below this one are sector numbers. This value and all above end a chain of sectors. */
const LAST_SECTOR = 0xfffffffa;
const MINI_SECTOR = 64;
/** Streams of at least this many bytes have their own sectors. Smaller streams share sectors. */
const BIG_STREAM = 4096;
const STREAM = 2;
const ROOT = 5;

/** Returns the names in an OLE file's root folder. Throws RangeError for loops and impossible sizes. */
export function oleNames(body: Uint8Array): string[] {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  const sector = file.readUInt8(HEADER.sectorShift) === 12 ? 4096 : 512;
  const fat = fatOf(file, sector);
  const entries = chainOf(fat, file.readUInt32LE(HEADER.directory)).flatMap((at) =>
    entriesOf(file, at, sector),
  );
  const root = entries[0];
  if (!root || root.type !== ROOT) throw new RangeError('no root');
  checkTree(entries);
  // Rejects a file whose streams claim over twice the file's size together. Valid files never do so.
  if (entries.reduce((sum, { size }) => sum + size, 0) > 2 * file.length) throw new RangeError('sizes');
  chainOf(fat, root.start);
  const table = chainOf(fat, file.readUInt32LE(HEADER.miniFat)).flatMap((at) => wordsOf(file, at, sector));
  let steps = file.length;
  for (const { type, size, start } of entries) {
    if (type !== STREAM || size === 0 || size >= BIG_STREAM) continue;
    const links = chainOf(table, start).length;
    steps -= links * MINI_SECTOR;
    if (steps < 0) throw new RangeError('short streams share their sectors');
  }
  return childrenOf(entries, root);
}

function fatOf(file: Buffer, sector: number): number[] {
  const most = Math.ceil(file.length / sector);
  const count = file.readUInt32LE(HEADER.fatSectors);
  if (count > most || file.readUInt32LE(HEADER.listSectors) > most) throw new RangeError('table');
  const inHeader = Math.min(count, (HEADER.end - HEADER.list) / 4);
  const places = Array.from({ length: inHeader }, (_, at) => file.readUInt32LE(HEADER.list + 4 * at));
  let next = file.readUInt32LE(HEADER.listStart);
  while (places.length < count && next < LAST_SECTOR) {
    const list = wordsOf(file, next, sector);
    next = list.pop() ?? NONE;
    places.push(...list.slice(0, count - places.length));
  }
  return places.flatMap((at) => (at < LAST_SECTOR ? wordsOf(file, at, sector) : []));
}

function wordsOf(file: Buffer, at: number, sector: number): number[] {
  const start = (at + 1) * sector;
  return Array.from({ length: sector / 4 }, (_, word) => file.readUInt32LE(start + 4 * word));
}

/** Returns the sectors of a chain. Throws RangeError if the chain contains a loop. */
function chainOf(table: readonly number[], start: number): number[] {
  const chain: number[] = [];
  for (let at = start; at < LAST_SECTOR; at = table[at] ?? NONE) {
    if (chain.length > table.length) throw new RangeError('a chain without an end');
    chain.push(at);
  }
  return chain;
}

interface OleEntry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

function entriesOf(file: Buffer, at: number, sector: number): OleEntry[] {
  const start = (at + 1) * sector;
  return Array.from({ length: sector / ENTRY.end }, (_, index) => {
    const entry = file.subarray(start + index * ENTRY.end, start + (index + 1) * ENTRY.end);
    const bytes = Math.min(ENTRY.nameBytes, entry.readUInt16LE(ENTRY.nameBytes));
    return {
      name: entry.toString('utf16le', 0, Math.max(0, bytes - 2)),
      type: entry.readUInt8(ENTRY.type),
      left: entry.readUInt32LE(ENTRY.left),
      right: entry.readUInt32LE(ENTRY.right),
      child: entry.readUInt32LE(ENTRY.child),
      start: entry.readUInt32LE(ENTRY.start),
      size: entry.readUInt32LE(ENTRY.size),
    };
  });
}

function checkTree(entries: readonly OleEntry[]): void {
  const seen = new Set<number>([0]);
  for (const { type, left, right, child } of entries) {
    if (type === 0) continue;
    for (const at of [left, right, child]) {
      if (at === NONE) continue;
      if (seen.has(at) || at >= entries.length) throw new RangeError('a directory in circles');
      seen.add(at);
    }
  }
}

function childrenOf(entries: readonly OleEntry[], root: OleEntry): string[] {
  const names: string[] = [];
  const open = [root.child];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = entries[at];
    if (!entry) continue;
    names.push(entry.name);
    open.push(entry.left, entry.right);
  }
  return names;
}
