import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { type ModelHub, startModelHub } from '../../helpers/model-hub.ts';
import { tinyGraph, writeTinyModel } from '../../helpers/tiny-model.ts';

const source = temporaryFolder();
const data = temporaryFolder();
let hub: ModelHub;

beforeAll(async () => {
  const write = (name: string, model: Parameters<typeof writeTinyModel>[1]) =>
    writeTinyModel(join(source.path, name), model);
  const files = {
    'onnx/model_quantized.onnx': tinyGraph({ seed: 2 }),
    'modules.json': [{ path: '1_Pooling', type: 'sentence_transformers.models.Pooling' }],
    '1_Pooling/config.json': { pooling_mode: 'cls' },
    'README.md': 'not fetched',
    'pytorch_model.bin': 'not fetched',
    LICENSE: 'MIT',
  };
  hub = await startModelHub({
    'maker/bge-small-en': write('bge', { graph: 'onnx/model.onnx', files }),
    // Over one part, so that it comes in several.
    'maker/large': write('large', { files: { 'model.onnx_data': new Uint8Array(20_000_000) } }),
    'maker/torch': write('torch', { graph: 'pytorch_model.bin' }),
    'maker/slow': write('slow', { files: { 'tokenizer.json': undefined } }),
  });
});
afterEach(() => {
  hub.mischief = () => false;
  hub.asked.length = 0;
});
afterAll(async () => {
  await hub.close();
  for (const folder of [source, data]) folder.remove();
});

const run = (...args: string[]) => runMagpie(args, { ...environment(data.path), MAGPIE_MODEL_HUB: hub.url });
const folderOf = (id: string) => join(data.path, 'models', id);

describe('magpie model', () => {
  test('add downloads the files, checks and pins them, and explains their use; list and remove work', async () => {
    const added = await run('model', 'add', 'maker/bge-small-en');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('MAGPIE_EMBEDDER=file:maker/bge-small-en');
    expect(added.stdout).toContain('pooling cls');
    expect(added.stdout).toContain('Represent this sentence');
    const folder = folderOf('maker/bge-small-en');
    expect(hub.asked.map((one) => one.split(' ')[0]).sort()).toEqual([
      ...['1_Pooling/config.json', 'LICENSE', 'modules.json', 'onnx/model_quantized.onnx', 'tokenizer.json'],
    ]);
    const pinned = JSON.parse(readFileSync(join(folder, 'magpie-source.json'), 'utf8'));
    expect(pinned).toMatchObject({
      hub: hub.url,
      model: 'maker/bge-small-en',
      graph: 'onnx/model_quantized.onnx',
    });
    expect(pinned.files).toHaveLength(5);

    hub.asked.length = 0;
    expect(await run('model', 'add', 'maker/bge-small-en')).toMatchObject({ code: 0 });
    expect(hub.asked).toEqual([]);
    const found = await runMagpie(['call', 'upsert', '--q', 'A magpie on the roof.'], {
      ...environment(data.path),
      MAGPIE_EMBEDDER: 'file:maker/bge-small-en',
    });
    expect(found).toMatchObject({ code: 0 });

    const [listed] = JSON.parse((await run('model', 'list', '--json')).stdout);
    expect(listed).toMatchObject({ id: 'maker/bge-small-en', license: 'mit', pooling: 'cls' });
    writeFileSync(join(folder, 'LICENSE'), 'other');
    const changed = await run('model', 'list');
    expect([changed.code, changed.stdout]).toEqual([
      3,
      expect.stringContaining('LICENSE is not as it was fetched'),
    ]);
    expect(await run('model', 'remove', 'maker/bge-small-en')).toMatchObject({ code: 0 });
    expect(existsSync(folderOf('maker'))).toBe(false);
    expect((await run('model', 'list')).stdout).toContain('No model was fetched');
    expect((await run('model', 'remove', 'maker/bge-small-en')).stderr).toContain('there is no model');
  });

  test('a folder that was not downloaded by Magpie is not replaced', async () => {
    const own = folderOf('maker/bge-small-en');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'model.onnx'), 'put there by hand');
    for (const id of ['maker/bge-small-en', 'maker']) {
      expect(await run('model', 'add', id)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('was not fetched by magpie model add: move it away'),
      });
    }
    expect(readFileSync(join(own, 'model.onnx'), 'utf8')).toBe('put there by hand');
    rmSync(folderOf('maker'), { recursive: true });
  });

  test('another graph and the settings of the user are kept when a model is renewed', async () => {
    await run('model', 'add', 'maker/bge-small-en', '--graph', 'onnx/model.onnx');
    const own = join(folderOf('maker/bge-small-en'), 'magpie.json');
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({ file: 'onnx/model.onnx' });
    // As an editor of Windows saves it, with a byte order mark.
    writeFileSync(own, `\uFEFF${JSON.stringify({ file: 'onnx/model.onnx', maxTokens: 128 })}`);
    await run('model', 'add', 'maker/bge-small-en');
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({
      file: 'onnx/model_quantized.onnx',
      maxTokens: 128,
    });
    await run('model', 'remove', 'maker/bge-small-en');
  });

  test('an interrupted download is resumed, and large files arrive in parts', async () => {
    let parts = 0;
    hub.mischief = (path, response) => {
      if (!path.startsWith('/lfs/') || !path.endsWith('_data') || ++parts <= 2) return false;
      response.writeHead(503).end();
      return true;
    };
    const broken = await run('model', 'add', 'maker/large');
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringContaining('model.onnx_data could not be fetched'),
    ]);
    expect(existsSync(folderOf('maker/large'))).toBe(false);
    hub.mischief = () => false;
    hub.asked.length = 0;
    expect(await run('model', 'add', 'maker/large')).toMatchObject({ code: 0 });
    expect(hub.asked).toEqual([
      'model.onnx_data bytes=16000000-19999999',
      expect.stringContaining('tokenizer.json'),
    ]);
    expect(existsSync(`${folderOf('maker/large')}.part`)).toBe(false);
    await run('model', 'remove', 'maker/large');
  });

  test('a file whose content differs from the listing of the hub is refused', async () => {
    hub.mischief = (path, response) => {
      if (!/resolve.*tokenizer\.json$/.test(path)) return false;
      const content = readFileSync(join(source.path, 'bge', 'tokenizer.json'));
      response.writeHead(200).end(Buffer.alloc(content.length, 'x'));
      return true;
    };
    const wrong = await run('model', 'add', 'maker/bge-small-en');
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('tokenizer.json was downloaded, but its content is not what the hub lists'),
    ]);
    expect(existsSync(folderOf('maker/bge-small-en'))).toBe(false);
    hub.mischief = () => false;
    expect(await run('model', 'add', 'maker/bge-small-en')).toMatchObject({ code: 0 });
    await run('model', 'remove', 'maker/bge-small-en');
  });

  test.each([
    ['maker/nothing', 'the hub has no model maker/nothing'],
    ['maker/torch', 'has no graph of ONNX; most models are there as ONNX too: try Xenova/torch'],
    ['maker/slow', 'has no tokenizer.json'],
    ['../../etc', "is not a model's name"],
    ['a/b/c', "is not a model's name"],
  ])('reports a failure: %s', async (id, message) => {
    const { code, stderr } = await run('model', 'add', id);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
    expect(existsSync(folderOf('maker'))).toBe(false);
  });

  test.each(['{"sha":1}', '<html>'])('an invalid answer is refused: %s', async (body) => {
    hub.mischief = (_, response) => {
      response.writeHead(200).end(body);
      return true;
    };
    expect((await run('model', 'add', 'maker/large')).stderr).toContain('cannot be read');
  });

  test('a hub that redirects to another private address is refused', async () => {
    hub.mischief = (path, response) => {
      if (!path.includes('/resolve/')) return false;
      response.writeHead(302, { location: 'http://127.0.0.1:9/model' }).end();
      return true;
    };
    expect((await run('model', 'add', 'maker/large')).stderr).toContain('127.0.0.1');
  });
});
