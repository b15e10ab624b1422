/** Places on a page; a page takes 4 KB. */
const PAGE_PLACES = 32_768;

/**
 * A set of places: a bit for each, in pages that are made when they are needed. A million of them take 125 KB and are filled in
 * some milliseconds, where a Set takes 40 MB and holds the event loop while it grows.
 */
export interface PlaceSet extends Iterable<number> {
  readonly size: number;
  has(place: number): boolean;
  add(place: number): void;
  /** Whether it was there. */
  delete(place: number): boolean;
}

/** RangeError for a place that is not a whole number from 0 on. */
export function createPlaceSet(places: Iterable<number> = []): PlaceSet {
  const pages: (Uint32Array | undefined)[] = [];
  let size = 0;

  function wordOf(place: number): number {
    return pages[Math.floor(place / PAGE_PLACES)]?.[(place % PAGE_PLACES) >>> 5] ?? 0;
  }
  const has = (place: number) => ((wordOf(place) >>> (place & 31)) & 1) === 1;
  function add(place: number): void {
    if (!Number.isSafeInteger(place) || place < 0) throw new RangeError(`${place} is not a place`);
    if (has(place)) return;
    const at = Math.floor(place / PAGE_PLACES);
    const page = pages[at] ?? new Uint32Array(PAGE_PLACES / 32);
    pages[at] = page;
    const word = (place % PAGE_PLACES) >>> 5;
    page[word] = (page[word] ?? 0) | (1 << (place & 31));
    size++;
  }
  for (const place of places) add(place);

  return {
    get size() {
      return size;
    },
    has,
    add,
    delete(place) {
      const page = pages[Math.floor(place / PAGE_PLACES)];
      if (!page || !has(place)) return false;
      const word = (place % PAGE_PLACES) >>> 5;
      page[word] = (page[word] ?? 0) & ~(1 << (place & 31));
      size--;
      return true;
    },
    *[Symbol.iterator]() {
      for (const [at, page] of pages.entries()) {
        if (!page) continue;
        for (const [word, bits] of page.entries()) {
          for (let left = bits; left !== 0; left &= left - 1) {
            yield at * PAGE_PLACES + word * 32 + (31 - Math.clz32(left & -left));
          }
        }
      }
    },
  };
}
