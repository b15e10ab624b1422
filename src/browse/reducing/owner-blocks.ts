import type { MarkdownBlock } from './blocks.ts';

/** Maximum length of a line, such as "You need:", that introduces a list, table or code. */
const LEAD_IN_CHARS = 300;
const MAX_NESTED = 20;

/** Returns for each block the index of the heading, item or line that introduces the block, or -1. */
export function findIntroducingBlocks(blocks: readonly MarkdownBlock[]): Int32Array {
  const finder = new OwnerFinder(blocks);
  blocks.forEach((block, index) => {
    if (block.kind === 'heading') finder.addHeading(index, block.level);
    else finder.addBlock(index, block);
  });
  return finder.owners;
}

class OwnerFinder {
  readonly owners: Int32Array;
  readonly #blocks: readonly MarkdownBlock[];
  readonly #headings: number[] = [];
  readonly #items: number[] = [];
  #opening = -1;

  constructor(blocks: readonly MarkdownBlock[]) {
    this.#blocks = blocks;
    this.owners = new Int32Array(blocks.length).fill(-1);
  }

  addHeading(index: number, level: number): void {
    this.#close(this.#headings, level);
    this.owners[index] = this.#headings.at(-1) ?? -1;
    this.#headings.push(index);
    this.#items.length = 0;
    this.#opening = -1;
  }

  addBlock(index: number, block: MarkdownBlock): void {
    const { kind, level } = block;
    this.#close(this.#items, kind === 'item' || level > 0 ? level : 0);
    this.owners[index] = this.#partOwner(index, block) ?? this.#ownerOf(index, block);
    if (kind === 'item' && this.#items.length < MAX_NESTED) this.#items.push(index);
  }

  #close(open: number[], level: number): void {
    while (open.length > 0 && (this.#blocks[open.at(-1) ?? 0]?.level ?? 0) >= level) open.pop();
  }

  #partOwner(index: number, block: MarkdownBlock): number | undefined {
    const previous = this.#blocks[index - 1];
    const above = this.#headings.at(-1) ?? -1;
    const same = this.owners[index - 1] ?? above;
    if (block.kind === 'rows' && (previous?.kind === 'head' || previous?.kind === 'rows')) {
      return previous.kind === 'head' ? index - 1 : same;
    }
    if (previous?.kind === 'text' && isDefinition(block)) return isDefinition(previous) ? same : index - 1;
    return undefined;
  }

  #ownerOf(index: number, { kind }: MarkdownBlock): number {
    const previous = this.#blocks[index - 1];
    const nested = this.#items.length > 0;
    const goesOn = nested || (previous && (previous.kind === kind || previous.level > 0));
    if (kind === 'text' && !nested) this.#opening = -1;
    else if (!goesOn) this.#opening = previous && leadsIn(previous) ? index - 1 : -1;
    const above = this.#headings.at(-1) ?? -1;
    return this.#items.at(-1) ?? (this.#opening >= 0 ? this.#opening : above);
  }
}

function isDefinition({ kind, text }: MarkdownBlock): boolean {
  return kind === 'text' && /^:[ \t]/.test(text);
}

function leadsIn({ kind, text }: MarkdownBlock): boolean {
  return kind === 'text' && text.length <= LEAD_IN_CHARS && /[:：]$/.test(text);
}

export function collectIntroducingBlocks(
  owners: Int32Array,
  index: number,
  chosen: ReadonlySet<number>,
): number[] {
  const chain: number[] = [];
  for (let at = index; at >= 0 && !chosen.has(at); at = owners[at] ?? -1) chain.push(at);
  return chain;
}
