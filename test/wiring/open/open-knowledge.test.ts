import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import { createFoundation } from '../../../src/wiring/foundation.ts';
import { openKnowledge } from '../../../src/wiring/open/open-knowledge.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

test('a model that fails while the stores are opened fails the knowledge base, and not the process', async () => {
  const folder = temporaryFolder();
  const base = createFoundation(loadConfig({}, { MAGPIE_DATA: folder.path }), createLog('silent'));
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const slow = async () => {
    await wait(50);
    return base.stores();
  };
  const failing = Promise.reject(new Error('the model is missing'));
  await expect(openKnowledge({ ...base, stores: slow }, failing)).rejects.toThrow('the model is missing');
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await base.closeStores();
  await base.fetch.close();
  folder.remove();
});
