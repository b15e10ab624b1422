import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import { notFoundError } from '../../errors.ts';
import type { FetchedModel } from '../../knowledge/types.ts';
import { documentedCommand } from '../documented-command.ts';
import { textFlag } from '../flags.ts';
import { untilStopped } from '../until-stopped.ts';

const name = z.string().min(1).max(200).describe('As the hub has it: BAAI/bge-small-en-v1.5.');

export const addEmbeddingModel = documentedCommand('model add', {
  words: ['name'],
  flags: {
    name,
    graph: textFlag(300),
    revision: z.string().min(1).max(200).optional(),
  },
  effect: () => 'write',
  async run({ name: id, graph, revision }, ctx) {
    const models = await ctx.services.fetchedModels();
    const { signal, progress } = ctx;
    const model = await untilStopped(ctx, () => models.add(id, { graph, revision }, { signal, progress }));
    if (!model) return 'stopped';
    if (ctx.json) await ctx.print(JSON.stringify(model));
    else {
      await printModel(model, ctx);
      if (!model.problem) {
        await ctx.print(
          `MAGPIE_EMBEDDER=file:${model.id} (or --embedder) switches it on: all passages get new vectors in the background.`,
          'hint',
        );
      }
    }
    return model.problem ? 'damaged' : 'done';
  },
});

export const listEmbeddingModels = documentedCommand('model list', {
  flags: {},
  effect: () => 'read',
  async run(_, ctx) {
    const models = await (await ctx.services.fetchedModels()).list();
    if (ctx.json) await ctx.print(JSON.stringify(models));
    else if (models.length === 0)
      await ctx.print('No model was fetched; magpie model add <name> fetches one.');
    else for (const model of models) await printModel(model, ctx);
    return models.some(({ problem }) => problem) ? 'damaged' : 'done';
  },
});

export const removeEmbeddingModel = documentedCommand('model remove', {
  words: ['name'],
  flags: { name },
  effect: () => 'destroy',
  async run({ name: id }, ctx) {
    const removed = await (await ctx.services.fetchedModels()).remove(id);
    if (!removed) throw notFoundError(`there is no model ${id}; magpie model list shows all`);
    await ctx.print(ctx.json ? JSON.stringify({ removed: id }) : `${id} is removed.`);
  },
});

async function printModel(model: FetchedModel, { print }: CommandContext): Promise<void> {
  const { id, bytes, graph, revision, license, folder, prefixes, problem } = model;
  await print(
    `${id}  ${(bytes / 1e6).toFixed(0)} MB  ${graph}  ${revision.slice(0, 8)}  ${license ?? 'licence unknown'}`,
  );
  if (problem) return print(`  cannot be used: ${problem}`, 'alarm');
  const shown = (text = '') => (text === '' ? 'none' : JSON.stringify(text));
  await print(
    `  pooling ${model.pooling}, ${model.maxTokens} tokens, prefix of questions ${shown(prefixes?.query)}, of passages ${shown(prefixes?.passage)}`,
    'quiet',
  );
  await print(`  ${folder}`, 'quiet');
}
