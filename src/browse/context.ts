import type { Block } from './blocks.ts';

/** Longest line, in characters, that is taken to lead into what follows it ("You need:"). */
const LEAD_IN = 300;
/** Items that an item is looked for in; deeper nesting is no list. */
const NESTED = 20;

/**
 * For each block, the index of the one that it cannot be read without, or -1: the heading above it, the
 * header of its table, the item that it is nested in, the line that leads into its list. Linear.
 */
export function ownersOf(blocks: readonly Block[]): Int32Array {
  const owners = new Int32Array(blocks.length).fill(-1);
  const headings: number[] = [];
  const items: number[] = [];
  /** What a list, table or code that begins here stands under, the headings aside. */
  let opening = -1;
  blocks.forEach((block, index) => {
    const level = (at: number | undefined) => blocks[at ?? 0]?.level ?? 0;
    const previous = blocks[index - 1];
    const { kind } = block;
    if (kind === 'heading') {
      while (headings.length > 0 && level(headings.at(-1)) >= block.level) headings.pop();
      owners[index] = headings.at(-1) ?? -1;
      headings.push(index);
      items.length = 0;
      opening = -1;
      return;
    }
    const inList = kind === 'item' || block.level > 0;
    while (items.length > 0 && (!inList || level(items.at(-1)) >= block.level)) items.pop();
    const begins = kind !== 'rows' && kind !== previous?.kind && !(previous && previous.level > 0);
    if (begins && !(inList && items.length > 0)) {
      opening =
        previous && (kind !== 'text' || /^:[ \t]/.test(block.text)) && leadsIn(previous, block)
          ? index - 1
          : -1;
    }
    const above = headings.at(-1) ?? -1;
    if (kind === 'rows' && (previous?.kind === 'head' || previous?.kind === 'rows')) {
      owners[index] = previous.kind === 'head' ? index - 1 : (owners[index - 1] ?? above);
    } else {
      owners[index] = items.at(-1) ?? (opening >= 0 ? opening : above);
    }
    if (kind === 'item' && items.length < NESTED) items.push(index);
  });
  return owners;
}

function leadsIn(previous: Block, block: Block): boolean {
  if (previous.kind !== 'text' || previous.text.length > LEAD_IN) return false;
  return /[:：]$/.test(previous.text) || /^:[ \t]/.test(block.text);
}

/** A block and what it stands under that is not among `chosen`, the block first. */
export function chainOf(owners: Int32Array, index: number, chosen: ReadonlySet<number>): number[] {
  const chain: number[] = [];
  for (let at = index; at >= 0 && !chosen.has(at); at = owners[at] ?? -1) chain.push(at);
  return chain;
}

/** The chosen blocks with all that they stand under, in page order. */
export function withOwners(owners: Int32Array, chosen: Iterable<number>): number[] {
  const all = new Set<number>();
  for (const index of chosen) for (const at of chainOf(owners, index, all)) all.add(at);
  return Array.from(owners.keys()).filter((index) => all.has(index));
}
