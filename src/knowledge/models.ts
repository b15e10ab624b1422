import type { Embedder } from './embedder.ts';
import type { Indexes } from './indexes.ts';
import type { EntryStore } from './store.ts';

/** A model with the owners' indexes of its vectors. */
export interface Model {
  readonly embedder: Embedder;
  readonly indexes: Indexes;
}

export interface Models {
  /** The model whose vectors a query of the owner goes by; undefined where there are none. */
  chooseModel(owner: string): Promise<Model | undefined>;
  forgetOwner(owner: string): Promise<void>;
  close(): Promise<void>;
}

export interface ModelsOptions {
  readonly store: EntryStore;
  readonly current: Model;
  /** A model that was the current one before, if it can still be asked; undefined where it cannot. */
  readonly earlier?: (name: string) => Promise<Embedder | undefined>;
  readonly indexesOf: (embedder: Embedder) => Indexes;
}

/** Earlier models that are asked beside the current one. */
const MAX_EARLIER = 3;

/**
 * The current model, and while an owner's passages are being embedded with it, the one before: vectors of two
 * models are never compared, and half of the passages by vectors are worse than all by words.
 */
export function createModels({ store, current, earlier, indexesOf }: ModelsOptions): Models {
  const known = new Map<string, Promise<Model | undefined>>();

  function obtain(name: string): Promise<Model | undefined> {
    const asked = known.get(name);
    if (asked) return asked;
    if (!earlier || known.size >= MAX_EARLIER) return Promise.resolve(undefined);
    const made = earlier(name).then(
      (embedder) => embedder && { embedder, indexes: indexesOf(embedder) },
      () => undefined,
    );
    known.set(name, made);
    return made;
  }

  async function all(): Promise<Model[]> {
    const made = await Promise.all(known.values());
    return [current, ...made.filter((model) => model !== undefined)];
  }

  return {
    async chooseModel(owner) {
      const mine = current.embedder.name;
      const { embedded, next, searched } = await store.readStanding(owner, mine);
      if (searched === 0) return undefined;
      if (embedded >= next) return current;
      for (const { name, embedded: reached } of await store.listModels(owner)) {
        if (name === mine) return current;
        const model = reached > embedded ? await obtain(name) : undefined;
        if (model) return model;
      }
      return undefined;
    },
    async forgetOwner(owner) {
      for (const { indexes } of await all()) await indexes.forgetOwner(owner);
    },
    async close() {
      for (const { indexes } of await all()) await indexes.close();
      for (const { embedder } of (await all()).slice(1)) await embedder.close();
    },
  };
}
