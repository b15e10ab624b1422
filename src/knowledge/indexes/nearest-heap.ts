import type { Neighbour } from '../ranking/vector-index.ts';

export function createNearestHeap(k: number) {
  const heap: Neighbour[] = [];

  function before(a: Neighbour, b: Neighbour): boolean {
    return a.similarity < b.similarity || (a.similarity === b.similarity && a.id > b.id);
  }
  function at(place: number): Neighbour {
    return heap[place] ?? { id: 0, similarity: Number.POSITIVE_INFINITY };
  }
  function rise(one: Neighbour): void {
    let place = heap.push(one) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!before(one, at(parent))) break;
      heap[place] = at(parent);
      place = parent;
    }
    heap[place] = one;
  }
  function sink(one: Neighbour): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (before(at(child + 1), at(child))) child++;
      if (!before(at(child), one)) break;
      heap[place] = at(child);
      place = child;
    }
    heap[place] = one;
  }

  return {
    get bar(): number {
      return heap.length < k ? Number.NEGATIVE_INFINITY : at(0).similarity;
    },
    offer(id: number, similarity: number): void {
      const one = { id, similarity };
      if (heap.length < k) rise(one);
      else if (k > 0 && before(at(0), one)) sink(one);
    },
    sorted: () => [...heap].sort((a, b) => b.similarity - a.similarity || a.id - b.id),
  };
}
