import type { VectorIndexes } from '../ranking/indexes.ts';
import type { DroppedVectors, EntryStore } from '../store.ts';
import type { Embedder } from './embedder.ts';
import type { ModelChoice } from './model-choice.ts';

export interface IndexedModel {
  readonly embedder: Embedder;
  readonly indexes: VectorIndexes;
}

export type QueryModels = ReturnType<typeof createQueryModels>;

export interface QueryModelsOptions {
  readonly store: EntryStore;
  readonly choice: ModelChoice;
  readonly earlier?: ((name: string) => Promise<Embedder | undefined>) | undefined;
  readonly indexesOf: (embedder: Embedder) => VectorIndexes;
}

const MAX_EARLIER = 3;

export function createQueryModels({ store, choice, earlier, indexesOf }: QueryModelsOptions) {
  const current = [choice.common, choice.multilingual].flatMap((embedder) =>
    embedder ? [{ embedder, indexes: indexesOf(embedder) }] : [],
  );
  const known = new Map<string, Promise<IndexedModel | undefined>>();

  function obtain(name: string): Promise<IndexedModel | undefined> {
    const asked = known.get(name);
    if (asked) return asked;
    const one = current.find(({ embedder }) => embedder.name === name);
    if (one) return Promise.resolve(one);
    if (!earlier || known.size >= MAX_EARLIER) return Promise.resolve(undefined);
    const made = earlier(name).then(
      (embedder) => embedder && { embedder, indexes: indexesOf(embedder) },
      () => undefined,
    );
    known.set(name, made);
    return made;
  }

  async function listEarlier(): Promise<IndexedModel[]> {
    const made = await Promise.all(known.values());
    return made.filter((model) => model !== undefined);
  }

  return {
    async chooseModel(owner: string): Promise<IndexedModel | undefined> {
      const { name: mine } = await choice.modelOf(owner);
      const { embedded, next, searched } = await store.readStanding(owner, mine);
      if (searched === 0) return undefined;
      // `embedded` may be below `next` although no passage waits, because the newest passages were deleted.
      if (embedded >= next || (await store.countPending(owner, mine, 1)) === 0) return obtain(mine);
      for (const { name, embedded: reached } of await store.listModels(owner)) {
        if (name === mine) return obtain(mine);
        const model = reached > embedded ? await obtain(name) : undefined;
        if (model) return model;
      }
      return undefined;
    },
    async forgetOwner(owner: string): Promise<void> {
      for (const { indexes } of [...current, ...(await listEarlier())]) await indexes.forgetOwner(owner);
    },
    async forgetVectors({ owner, model }: DroppedVectors): Promise<void> {
      await (await obtain(model))?.indexes.forgetOwner(owner);
    },
    async close(): Promise<void> {
      const left = await listEarlier();
      for (const { indexes } of [...current, ...left]) await indexes.close();
      for (const { embedder } of left) await embedder.close();
    },
  };
}
