import { join } from 'node:path';
import { createIndexThread } from '../../knowledge/indexes/index-thread.ts';
import { createKnowledge } from '../../knowledge/knowledge.ts';
import type { Knowledge } from '../../knowledge/types.ts';
import { type Embedders, loadEmbeddedModel } from '../embedders.ts';
import type { ServicesFoundation } from '../foundation.ts';

export async function openKnowledge(
  base: ServicesFoundation,
  embedders: Promise<Embedders>,
): Promise<Knowledge> {
  const { config, log, stores } = base;
  // Awaits both together. Otherwise, a model that fails first would cause an unhandled rejection.
  const [store, { embedder, multilingual, remedy, missing }] = await Promise.all([
    stores().then((set) => set.entries()),
    embedders,
  ]);
  const indexes = createIndexThread();
  const room = createKnowledge({
    store,
    ...{ embedder, multilingual, remedy, missing },
    earlier: loadEmbeddedModel,
    openIndex: indexes.open,
    trashDays: config.trashDays,
    indexFolder: join(config.data, 'indexes'),
    log,
  });
  return {
    ...room,
    async close() {
      try {
        await room.close();
      } finally {
        await indexes.close();
      }
    },
  };
}
