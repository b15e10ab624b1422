import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createModelFolderEmbedder } from '../../../src/knowledge/embedders/file.ts';
import { readModelFolder } from '../../../src/knowledge/embedders/model-folder.ts';
import type { OnnxEmbedder } from '../../../src/knowledge/embedders/onnx.ts';
import { loadModel } from '../../../src/knowledge/embedders/onnx-model.ts';
import { encodeTruncated, loadTokenizer } from '../../../src/knowledge/embedders/tokens.ts';
import type { EmbeddedKind } from '../../../src/knowledge/embedding/embedder.ts';
import { describeEmbedder } from '../../contracts/embedder.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import {
  TINY_DIMENSIONS,
  type TinyModel,
  tinyGraph,
  tinyVector,
  writeTinyModel,
} from '../../helpers/tiny-model.ts';
import { dot } from '../../helpers/vectors.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
let made = 0;
const write = (model: TinyModel = {}, name = `tiny-${made++}`) =>
  writeTinyModel(join(folder.path, `${made++}`, name), model);

const opened: OnnxEmbedder[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
async function open(model: TinyModel = {}, runtime: 'native' | 'wasm' = 'native'): Promise<OnnxEmbedder> {
  const embedder = await createModelFolderEmbedder(write(model), {}, { runtime });
  opened.push(embedder);
  return embedder;
}
/** What a worker does with one text, in this thread: the start of a worker takes ten times as long. */
async function vectorOf(
  model: TinyModel,
  text = 'magpie',
  kind: EmbeddedKind = 'passage',
): Promise<Float32Array> {
  const from = write(model);
  const { graph, pooling, whole, prefixes, maxTokens } = await readModelFolder(from);
  const tokenizer = await loadTokenizer(pathToFileURL(`${from}/`));
  const { run } = await loadModel(pathToFileURL(join(from, graph)), 'native');
  return run([encodeTruncated(tokenizer, prefixes[kind] + text, maxTokens)], { pooling, whole }, kind);
}
/** The direction of the sum of tokens' vectors. */
function direction(...tokens: string[]): number[] {
  const sum = Array.from({ length: TINY_DIMENSIONS }, (_, i) =>
    tokens.reduce((total, token) => total + (tinyVector(token)[i] ?? 0), 0),
  );
  return sum.map((value) => value / Math.hypot(...sum));
}
const same = (vector: Float32Array, ...tokens: string[]) =>
  expect(dot(vector, Float32Array.from(direction(...tokens)))).toBeCloseTo(1, 5);

for (const runtime of ['native', 'wasm'] as const) {
  describeEmbedder(
    `a model from a folder (${runtime})`,
    async () => createModelFolderEmbedder(write({ inputs: ['token_type_ids'] }), {}, { runtime }),
    async () => {},
  );
}

describe('a folder with a sentence model', () => {
  test('vectors are the means of the tokens, without the padding of shorter texts', async () => {
    const embedder = await open();
    const texts = ['magpie roof', 'price copper shoe word number'];
    const [first, second] = await embedder.embed(texts, 'passage', new AbortController().signal);
    same(first ?? new Float32Array(), '[CLS]', 'magpie', 'roof', '[SEP]');
    same(second ?? new Float32Array(), '[CLS]', 'price', 'copper', 'shoe', 'word', 'number', '[SEP]');
    expect(embedder).toMatchObject({ dimensions: TINY_DIMENSIONS, maxTokens: 256 });
    expect(embedder.scale?.unrelated).toBeLessThan(embedder.scale?.weak ?? 0);
  });

  const pooled = (mode: string) => ({
    '1_Pooling/config.json': { word_embedding_dimension: 64, [mode]: true },
  });
  test.each([
    ['pooling_mode_cls_token', ['[CLS]']],
    ['pooling_mode_lasttoken', ['[SEP]']],
    ['pooling_mode_mean_tokens', ['[CLS]', 'magpie', '[SEP]']],
  ])('pools as 1_Pooling/config.json says: %s', async (mode, tokens) => {
    same(await vectorOf({ files: pooled(mode) }), ...tokens);
  });

  test('reads the pooling settings of newer versions, in the folder that modules.json names', async () => {
    const modules = [
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '2_Pooling', type: 'sentence_transformers.models.Pooling' },
      { idx: 2, name: '2', path: '3_Normalize', type: 'sentence_transformers.models.Normalize' },
    ];
    const files = {
      'modules.json': modules,
      '2_Pooling/config.json': { embedding_dimension: 64, pooling_mode: 'cls' },
    };
    same(await vectorOf({ files }), '[CLS]');
  });

  test.each<[string, TinyModel]>([
    ['the mask alone', {}],
    ['kinds of tokens', { inputs: ['token_type_ids'] }],
    ['positions of each row', { inputs: ['token_type_ids', 'position_ids'] }],
    ['positions of one row', { inputs: ['positions of one row'] }],
  ])('a graph gets the inputs that it declares: %s', async (_, model) => {
    same(await vectorOf(model), '[CLS]', 'magpie', '[SEP]');
  });

  test('an output with whole vectors is preferred to an output with tokens', async () => {
    const outputs = ['last_hidden_state', 'sentence_embedding'];
    same(await vectorOf({ outputs, files: pooled('pooling_mode_cls_token') }), '[CLS]', 'magpie', '[SEP]');
    same(await vectorOf({ outputs: ['anything'] }), '[CLS]', 'magpie', '[SEP]');
  });

  test('a layer after the pooling is refused unless the graph contains it', async () => {
    const modules = [{ path: '2_Dense', type: 'sentence_transformers.models.Dense' }];
    const files = { 'modules.json': modules };
    same(await vectorOf({ outputs: ['sentence_embedding'], files }), '[CLS]', 'magpie', '[SEP]');
    await expect(open({ files })).rejects.toThrow('a layer after its pooling');
  });

  test('prefixes come from the settings, magpie.json, the prompts of the folder or the model family, in this order', async () => {
    const prompts = { prompts: { query: 'query: ', document: 'passage: ' } };
    const read = async (name: string, files: TinyModel['files'], chosen = {}) =>
      (await readModelFolder(write({ files }, name), chosen)).prefixes;
    const stated = { 'config_sentence_transformers.json': prompts };
    expect(await read('tiny', stated)).toEqual({ query: 'query: ', passage: 'passage: ' });
    const own = { ...stated, 'magpie.json': { queryPrefix: 'ask ' } };
    expect(await read('tiny', own)).toEqual({ query: 'ask ', passage: 'passage: ' });
    expect(await read('tiny', own, { passage: 'text ' })).toEqual({ query: 'ask ', passage: 'text ' });
    const empty = { 'config_sentence_transformers.json': { prompts: { query: '', document: '' } } };
    expect(await read('multilingual-e5-base', empty)).toEqual({ query: 'query: ', passage: 'passage: ' });
    expect((await read('bge-small-en-v1.5', {})).query).toMatch(/^Represent this sentence/);
    expect(await read('all-MiniLM-L12-v2', {})).toEqual({ query: '', passage: '' });
    const [vector = new Float32Array()] = await (await open({ files: stated })).embed(
      ['magpie'],
      'query',
      new AbortController().signal,
    );
    same(vector, '[CLS]', 'query', ':', 'magpie', '[SEP]');
  });

  test('reads as many tokens as all its files allow', async () => {
    const most = async (files: TinyModel['files']) => (await readModelFolder(write({ files }))).maxTokens;
    expect(
      await most({
        'sentence_bert_config.json': { max_seq_length: 128 },
        'config.json': { max_position_embeddings: 512 },
      }),
    ).toBe(128);
    expect(await most({ 'config.json': { model_type: 'roberta', max_position_embeddings: 130 } })).toBe(128);
    expect(await most({ 'tokenizer_config.json': { model_max_length: 1e30 } })).toBe(256);
    expect(
      await most({ 'tokenizer_config.json': { model_max_length: 512 }, 'magpie.json': { maxTokens: 8192 } }),
    ).toBe(512);
    expect(await most({ 'config.json': { model_type: '__proto__', max_position_embeddings: 130 } })).toBe(
      130,
    );
    for (const files of [
      { 'sentence_bert_config.json': { max_seq_length: 1 } },
      { 'config.json': { model_type: 'roberta', max_position_embeddings: 1 } },
    ]) {
      await expect(most(files)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('and 16 are needed: see max_seq_length'),
      });
    }
  });

  test('the model name differs for other weights, tokenizers, poolings and prefixes of passages', async () => {
    const name = async (model: TinyModel) => (await readModelFolder(write(model, 'tiny'))).name;
    const first = await name({});
    expect(first).toMatch(/^file:tiny@[0-9a-f]{12}$/);
    expect(await name({ files: { 'magpie.json': { queryPrefix: 'q ' }, 'README.md': 'about' } })).toBe(first);
    const others = await Promise.all([
      name({ seed: 2 }),
      name({ files: { 'magpie.json': { pooling: 'cls' } } }),
      name({ files: { 'magpie.json': { passagePrefix: 'p ' } } }),
      name({ files: { 'model.onnx_data': 'weights' } }),
      name({ files: { 'tokenizer.json': '{}' } }),
    ]);
    expect(new Set([first, ...others]).size).toBe(6);
  });

  test.each<[what: string, model: TinyModel, message: string]>([
    ['no graph', { graph: 'weights.bin' }, 'has no model.onnx'],
    [
      'several graphs',
      { graph: 'onnx/a.onnx', files: { 'onnx/b.onnx': tinyGraph() } },
      'has 2 graphs: magpie.json says which',
    ],
    [
      'a graph that is not there',
      { files: { 'magpie.json': { file: 'onnx/x.onnx' } } },
      'names the graph onnx/x.onnx, which is not there',
    ],
    [
      'a graph outside',
      { files: { 'magpie.json': { file: '../model.onnx' } } },
      'file is a path in its folder',
    ],
    ['no tokenizer', { files: { 'tokenizer.json': undefined } }, 'has no tokenizer.json'],
    ['a torn file', { files: { 'config.json': '{"a":' } }, 'config.json is not JSON'],
    [
      'a wrong value',
      { files: { 'sentence_bert_config.json': { max_seq_length: 'many' } } },
      'sentence_bert_config.json: max_seq_length',
    ],
    [
      'an unknown key of ours',
      { files: { 'magpie.json': { prefix: 'x' } } },
      'magpie.json: Unrecognized key',
    ],
    ['a pooling that is not known', { files: pooled('pooling_mode_max_tokens') }, 'asks for the pooling max'],
    [
      'two poolings',
      {
        files: { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
      },
      'the pooling cls with mean',
    ],
    ['a tokenizer that is none', { files: { 'tokenizer.json': '{}' } }, 'cannot be used'],
    ['a graph that is none', { files: { 'model.onnx': 'not a graph' } }, 'cannot be used'],
    ['an input that cannot be had', { inputs: ['past_key_values'] }, 'asks for the input past_key_values'],
    [
      'outputs that are not known',
      { outputs: ['logits', 'token_scores'] },
      "the graph's outputs are logits, token_scores",
    ],
  ])('reports an invalid model: %s', async (_, model, message) => {
    const error = await open(model).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(message) });
  });

  test('reports an invalid folder', async () => {
    const path = join(folder.path, 'nothing');
    await expect(createModelFolderEmbedder(path)).rejects.toThrow(`there is no folder ${path}`);
    writeFileSync(path, '');
    await expect(createModelFolderEmbedder(path)).rejects.toThrow('is a file; name the folder that it is in');
    rmSync(path);
    mkdirSync(path);
    const torn = write();
    truncateSync(join(torn, 'model.onnx'), 1000);
    await expect(createModelFolderEmbedder(torn)).rejects.toThrow('cannot be used');
  });
});
