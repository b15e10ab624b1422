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
  /** The line that leads into the list, table or code at hand. */
  let opening = -1;
  const close = (open: number[], level: number) => {
    while (open.length > 0 && (blocks[open.at(-1) ?? 0]?.level ?? 0) >= level) open.pop();
  };
  blocks.forEach((block, index) => {
    const { kind, level } = block;
    const previous = blocks[index - 1];
    if (kind === 'heading') {
      close(headings, level);
      owners[index] = headings.at(-1) ?? -1;
      headings.push(index);
      items.length = 0;
      opening = -1;
      return;
    }
    close(items, kind === 'item' || level > 0 ? level : 0);
    const above = headings.at(-1) ?? -1;
    if (previous && kind === 'rows' && isTable(previous)) {
      owners[index] = previous.kind === 'head' ? index - 1 : (owners[index - 1] ?? above);
    } else if (previous?.kind === 'text' && isDefinition(block)) {
      owners[index] = isDefinition(previous) ? (owners[index - 1] ?? above) : index - 1;
    } else {
      const goesOn = items.length > 0 || (previous && (previous.kind === kind || previous.level > 0));
      if (kind === 'text' && items.length === 0) opening = -1;
      else if (!goesOn) opening = previous && leadsIn(previous) ? index - 1 : -1;
      owners[index] = items.at(-1) ?? (opening >= 0 ? opening : above);
    }
    if (kind === 'item' && items.length < NESTED) items.push(index);
  });
  return owners;
}

function isTable({ kind }: Block): boolean {
  return kind === 'head' || kind === 'rows';
}

/** The second line of "Term, newline, : what it means". */
function isDefinition({ kind, text }: Block): boolean {
  return kind === 'text' && /^:[ \t]/.test(text);
}

function leadsIn({ kind, text }: Block): boolean {
  return kind === 'text' && text.length <= LEAD_IN && /[:：]$/.test(text);
}

/** A block and what it stands under that is not among `chosen`, the block first. */
export function chainOf(owners: Int32Array, index: number, chosen: ReadonlySet<number>): number[] {
  const chain: number[] = [];
  for (let at = index; at >= 0 && !chosen.has(at); at = owners[at] ?? -1) chain.push(at);
  return chain;
}
