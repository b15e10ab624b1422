import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { extractContainerImage, type ImageContents } from '../../../src/security/git/images/extract-image.ts';
import { isWantedInImage } from '../../../src/security/git/images/image-layer.ts';
import { textsOf, withTree } from '../../helpers/repositories.ts';
import { type ImageForm, imageEntries, TAR_TYPES, type TarContent, tarOf } from '../../helpers/tar.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-image-')));
const root = join(base, 'root');
mkdirSync(root);
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
function fileOf(content: Buffer | string, name = 'image.tar'): string {
  const folder = join(root, `${++count}`);
  mkdirSync(folder);
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const open = (repository: string, options: object = {}, more: object = {}) =>
  withTree(
    base,
    { repository, ...more },
    async (tree) => ({
      texts: await textsOf(tree),
      gaps: tree.gaps.map(({ what }) => what),
      left: tree.left,
    }),
    { roots: [root], ...options },
  );

const link = (target: string): TarContent => ({ type: TAR_TYPES.symbolicLink, target });
const hardLink = (target: string): TarContent => ({ type: TAR_TYPES.hardLink, target });
const LAYERS: readonly (readonly (readonly [string, TarContent])[])[] = [
  [
    ['etc/os-release', 'ID=debian\nVERSION_ID="12"\n'],
    ['./app/', { type: TAR_TYPES.folder }],
    ['./app/kept.py', 'a = 1'],
    ['app/gone.py', 'b = 1'],
    ['app/config/a.yaml', 'a: 1'],
    ['app/config/b.yaml', 'b: 1'],
    ['app/cache/x.txt', 'x'],
    ['app/thing', 'a file'],
    ['app/linked.py', 'c = 1'],
    ['app/program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0])],
    ['usr/lib/python3/os.py', 'system'],
    ['usr/local/lib/node_modules/shop/index.js', 'code of a package'],
  ],
  [
    ['app/.wh.gone.py', ''],
    ['app/config/.wh..wh..opq', ''],
    ['app/config/c.yaml', 'c: 1'],
    ['app/.wh.cache', ''],
    ['app/thing/inside.txt', 'a folder now'],
    ['app/hard.py', hardLink('app/kept.py')],
    ['app/linked.py', link('/etc/passwd')],
    ['app/node_modules/lodash/package.json', '{"name":"lodash","version":"4.17.20"}'],
    ['app/node_modules/lodash/index.js', 'code'],
  ],
];
const TREE = {
  'app/config/c.yaml': 'c: 1',
  'app/hard.py': 'a = 1',
  'app/kept.py': 'a = 1',
  'app/node_modules/lodash/package.json': '{"name":"lodash","version":"4.17.20"}',
  'app/thing/inside.txt': 'a folder now',
  'etc/os-release': 'ID=debian\nVERSION_ID="12"\n',
};
const layers = LAYERS.map((entries) => tarOf(entries));

describe('an image', () => {
  test.each<[string, Buffer, string?]>([
    ['of docker save', tarOf(imageEntries(layers, 'docker'))],
    ['of docker save with blobs', tarOf(imageEntries(layers, 'docker-blobs'))],
    ['as an OCI layout', tarOf(imageEntries(layers, 'oci'))],
    ['as an OCI layout with an index', tarOf(imageEntries(layers, 'oci-index'))],
    ['packed by gzip', gzipSync(tarOf(imageEntries(layers, 'oci'))), 'image.tar.gz'],
    ['packed by zstd', zstdCompressSync(tarOf(imageEntries(layers, 'docker'))), 'image.tar.zst'],
    ['by another name', tarOf(imageEntries(layers, 'docker')), 'shop.image'],
    ['with its entries in reverse', tarOf(imageEntries(layers, 'docker').reverse())],
  ])('%s is read layer by layer with what hides files', async (_, archive, name) => {
    const { texts, gaps, left } = await open(fileOf(archive, name));
    expect(texts).toEqual(TREE);
    expect(gaps).toEqual([]);
    expect(left).toContain('1 symbolic link');
  });

  test.each<ImageForm | 'plain'>(['plain', 'docker', 'oci'])(
    'has files that hard links share with a left-out file or with one another (%s)',
    async (form) => {
      const entries: [string, TarContent][] = [
        ['root/.cache/uv/1', 'a = 1'],
        ['app/a.py', hardLink('root/.cache/uv/1')],
        ['app/b.py', hardLink('usr/share/2')],
        ['usr/share/2', hardLink('app/a.py')],
        ['app/c.py', hardLink('app/b.py')],
        ['app/program', hardLink('usr/bin/program')],
        ['usr/bin/program', Buffer.from([0, 1])],
        ['app/way', hardLink('usr/share/way')],
        ['usr/share/way', link('/etc/passwd')],
      ];
      const tar = tarOf(entries);
      const above = tarOf([['app/d.py', hardLink('usr/share/2')]]);
      const { texts, gaps } = await open(
        fileOf(form === 'plain' ? tar : tarOf(imageEntries([tar, above], form))),
      );
      const names = ['app/a.py', 'app/b.py', 'app/c.py', ...(form === 'plain' ? [] : ['app/d.py'])];
      expect([texts, gaps]).toEqual([Object.fromEntries(names.map((name) => [name, 'a = 1'])), []]);
    },
  );

  test('may name its root', async () => {
    const folder = { type: TAR_TYPES.folder };
    const names = ['./', '.', '/', './/'].map((name): [string, TarContent] => [name, folder]);
    const { texts, gaps } = await open(fileOf(tarOf([...names, ['./a.py', 'a = 1']])));
    expect([texts, gaps]).toEqual([{ 'a.py': 'a = 1' }, []]);
  });

  test('of plain files is one layer', async () => {
    expect(Object.keys((await open(fileOf(layers[0] ?? Buffer.alloc(0)))).texts)).toContain('app/gone.py');
  });

  test('has manifests of installed packages only where no lockfile names them', async () => {
    const manifest = '{"name":"a","version":"1.0.0"}';
    const archive = tarOf([
      ['app/package-lock.json', '{}'],
      ['app/node_modules/a/package.json', manifest],
      ['srv/node_modules/@b/c/package.json', manifest],
      ['node_modules/d/package.json', manifest],
      ['usr/local/lib/python3.12/site-packages/e-1.0.dist-info/METADATA', 'Name: e\nVersion: 1.0\n'],
      ['usr/local/lib/python3.12/site-packages/e/code.py', ''],
    ]);
    expect(Object.keys((await open(fileOf(archive))).texts)).toEqual([
      'app/package-lock.json',
      'node_modules/d/package.json',
      'srv/node_modules/@b/c/package.json',
      'usr/local/lib/python3.12/site-packages/e-1.0.dist-info/METADATA',
    ]);
  });

  test.each([
    ['etc/os-release', true],
    ['usr/lib/os-release', true],
    ['var/lib/dpkg/status.d/zlib', true],
    ['lib/apk/db/installed', true],
    ['etc/nginx/nginx.conf', true],
    ['root/.aws/credentials', true],
    ['usr/src/app/index.js', true],
    ['opt/shop/main.py', true],
    ['usr/share/doc/readme', false],
    ['lib/x86_64-linux-gnu/libc.so', false],
    ['var/cache/apt/pkgcache.bin', false],
    ['app/node_modules/a/lib/index.js', false],
    ['app/node_modules/a/lib/package.json', false],
  ])('%s is read: %s', (path, isWanted) => {
    expect(isWantedInImage(path)).toBe(isWanted);
  });
});

const job = (archive: string, more: object = {}) => {
  const folder = mkdtempSync(join(base, 'blobs-'));
  return { archive, folder, fileBytes: 1000, treeBytes: 100_000, entries: 1000, files: 1000, ...more };
};
async function extract(archive: Buffer | string, more: object = {}): Promise<ImageContents> {
  const answer = await extractContainerImage(job(fileOf(archive), more));
  if ('broken' in answer) throw new Error(answer.broken);
  return answer;
}

test('layers of any contents, in any form and order, give the files that a running container has', async () => {
  const path = fc.constantFrom('a', 'b', 'a/x', 'a/y', 'b/x', 'b/x/deep', 'c');
  const step = fc.oneof(
    fc.tuple(fc.constant('write' as const), path),
    fc.tuple(fc.constant('remove' as const), path),
    fc.tuple(fc.constant('clear' as const), fc.constantFrom('a', 'b', 'b/x')),
  );
  const steps = fc.array(fc.uniqueArray(step, { selector: ([, at]) => at, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  });
  const forms = fc.constantFrom<ImageForm>('docker', 'docker-blobs', 'oci', 'oci-index');
  await fc.assert(
    fc.asyncProperty(steps, forms, fc.infiniteStream(fc.nat()), async (drawn, form, order) => {
      const expected = new Map<string, string>();
      const isBelow = (at: string, folder: string) => at.startsWith(`${folder}/`);
      const tars = drawn.map((all, number) => {
        // A layer cannot have a file and something below it.
        const one = all.filter(
          ([kind, at]) =>
            kind !== 'write' || !all.some(([other, to]) => other === 'write' && isBelow(at, to)),
        );
        for (const [kind, at] of one)
          for (const known of [...expected.keys()])
            if (isBelow(known, at) || (kind !== 'clear' && known === at)) expected.delete(known);
        const entries = one.map(([kind, at]): [string, TarContent] => {
          const [parent, name] = [at.split('/').slice(0, -1).join('/'), at.split('/').at(-1)];
          if (kind === 'remove') return [join(parent, `.wh.${name}`), ''];
          if (kind === 'clear') return [join(at, '.wh..wh..opq'), ''];
          return [at, `${number} ${at}`];
        });
        for (const [kind, at] of one) {
          if (kind !== 'write') continue;
          for (const known of [...expected.keys()]) if (isBelow(at, known)) expected.delete(known);
          expected.set(at, `${number} ${at}`);
        }
        return tarOf([...entries, ['.keep', 'x']]);
      });
      const saved = imageEntries(tars, form).map((entry) => ({ entry, at: order.next().value as number }));
      const shuffled = saved.sort((a, b) => a.at - b.at).map(({ entry }) => entry);
      const { files } = await extract(tarOf(shuffled));
      expect(files.map(([at]) => at)).toEqual(['.keep', ...expected.keys()].sort());
    }),
    { numRuns: 100 },
  );
});

describe('a hostile archive', () => {
  const saved = imageEntries(layers, 'docker');
  test.each<[string, Buffer, string]>([
    [
      'with paths that lead out',
      tarOf([
        ['../../etc/cron.d/x', 'x'],
        ['a/../../b', 'x'],
        ['ok.txt', 'x'],
      ]),
      '2 entries whose paths lead out of the image',
    ],
    [
      'without a layer that it names',
      tarOf(saved.filter(([name]) => !name.startsWith('layer-1'))),
      '1 layer that the archive does not have',
    ],
    [
      'with another layer than it names',
      tarOf(saved.map(([name, bytes]) => [name, name.startsWith('layer-1') ? tarOf([['x', 'y']]) : bytes])),
      '1 layer with another digest than the image names',
    ],
    [
      'with a damaged layer',
      tarOf(saved.map(([name, bytes]) => [name, name.startsWith('layer-1') ? Buffer.alloc(5000, 7) : bytes])),
      '1 layer that is damaged',
    ],
    [
      'with two images',
      tarOf(
        saved.map(([name, bytes]) => [
          name,
          name === 'manifest.json'
            ? Buffer.from(
                JSON.stringify(
                  Array(2)
                    .fill(JSON.parse(String(bytes)))
                    .flat(),
                ),
              )
            : bytes,
        ]),
      ),
      '1 further image in the archive',
    ],
    [
      'with sparse files and unknown types',
      tarOf([
        ['app/sparse.py', { type: 'S' }],
        ['var/log/lastlog', { type: 'S' }],
        ['app/odd.py', { type: 'Z' }],
        ['a label', { type: 'V' }],
        ['ok.txt', 'x'],
      ]),
      '2 entries of kinds that are not read, such as sparse files',
    ],
    [
      'with a header that is too long',
      Buffer.concat([
        tarOf([['header', { type: TAR_TYPES.pax, size: 1_024_000 }]]).subarray(0, 512),
        Buffer.alloc(1_024_000, 32),
        tarOf([['ok.txt', 'x']]),
      ]),
      '1 entry of a kind that is not read, such as a sparse file',
    ],
    [
      'with hard links that lead nowhere',
      tarOf([
        ['a.py', hardLink('none.py')],
        ['b.py', hardLink('c.py')],
        ['c.py', hardLink('b.py')],
        ['ok.txt', 'x'],
      ]),
      '3 hard links to files that the image does not have',
    ],
    [
      'with a bomb of a file',
      gzipSync(
        tarOf([
          ['bomb.txt', Buffer.alloc(30_000_000)],
          ['random.bin', randomBytes(100_000)],
          ['ok.txt', 'x'],
        ]),
      ),
      '1 file over 10 MB',
    ],
  ])('%s is read as far as it goes, and the rest is named', async (_, archive, what) => {
    const { gaps, texts } = await open(fileOf(archive));
    expect(gaps).toEqual([what]);
    expect(Object.keys(texts).length).toBeGreaterThan(0);
  });

  test('with devices and pipes has none of them', async () => {
    const { texts, left } = await open(
      fileOf(
        tarOf([
          ['a', { type: TAR_TYPES.device }],
          ['b', { type: TAR_TYPES.pipe }],
          ['c', 'x'],
        ]),
      ),
    );
    expect(texts).toEqual({ c: 'x' });
    expect(left).toContain('2 pipes, sockets and devices');
  });

  test('with long names holds none of them', async () => {
    const pax = (key: string, length: number) => {
      const record = `${key.length + length + 8} ${key}=${'n'.repeat(length)}\n`;
      const bytes = Buffer.from(record.padEnd(Math.ceil(record.length / 512) * 512, '\0'));
      const head = tarOf([['header', { type: TAR_TYPES.pax, size: record.length }]]).subarray(0, 512);
      return Buffer.concat([head, bytes]);
    };
    const without = (archive: Buffer) => archive.subarray(0, -1024);
    const archive = Buffer.concat([
      pax('path', 50_000),
      without(tarOf([['a.py', 'x']])),
      pax('linkpath', 50_000),
      without(tarOf([['b.py', hardLink('a')]])),
      tarOf([['ok.txt', 'x']]),
    ]);
    const { files, totals } = await extract(archive);
    expect([files.map(([path]) => path), totals.odd, totals.unknown]).toEqual([['ok.txt'], 2, 0]);
  });

  test('with too many entries or bytes is cut', async () => {
    const many = Array.from({ length: 50 }, (_, at): [string, string] => [`a${at}`, `${at}`]);
    const cut = await extract(tarOf(many), { entries: 10 });
    expect([cut.totals.isCut, cut.files.length]).toEqual([true, 10]);
    const small = await extract(tarOf(many), { treeBytes: 20 });
    expect(small.files.filter(([, { blob }]) => blob !== undefined).length).toBeLessThan(20);
    expect(small.files.length).toBe(50);
  });

  describe('with several images in an OCI layout names the others, and not the platforms', () => {
    const platform = (architecture: string) => ({ platform: { os: 'linux', architecture } });
    const tag = (name: string) => ({ annotations: { 'org.opencontainers.image.ref.name': name } });
    const digest = { digest: `sha256:${'a'.repeat(64)}` };
    test.each<[string, ImageForm, object[], number]>([
      ['two images', 'oci', [{}, digest], 1],
      ['two indexes', 'oci-index', [{}, digest], 1],
      ['two tags of one image', 'oci', [tag('1'), tag('2')], 0],
      ['platforms of one image', 'oci', [platform('amd64'), { ...platform('arm64'), ...digest }], 0],
      ['one platform twice', 'oci', [platform('amd64'), { ...platform('amd64'), ...digest }], 1],
      [
        'platforms of two images',
        'oci',
        [
          { ...platform('amd64'), ...tag('1') },
          { ...platform('amd64'), ...tag('2'), ...digest },
        ],
        1,
      ],
    ])('%s', async (_, form, descriptors, expected) => {
      const entries = imageEntries(layers, form).map(([name, bytes]): [string, Buffer | string] => {
        if (name !== 'index.json') return [name, bytes];
        const [own] = JSON.parse(String(bytes)).manifests;
        return [name, JSON.stringify({ manifests: descriptors.map((one) => ({ ...own, ...one })) })];
      });
      const { others, files } = await extract(tarOf(entries));
      expect([others, files.length]).toEqual([expected, Object.keys(TREE).length]);
    });
  });

  test.each<[string, Buffer | string]>([
    ['random bytes', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))],
    ['nothing', ''],
    ['zeros', Buffer.alloc(10_240)],
    ['a text', 'not an archive\n'.repeat(100)],
    ['gzip of nothing', gzipSync('')],
    ['a bomb', gzipSync(tarOf([['bomb.txt', Buffer.alloc(30_000_000)]]))],
    ['gzip that ends early', gzipSync(tarOf([['a', 'x'.repeat(5000)]])).subarray(0, 40)],
  ])('of %s is refused', async (_, content) => {
    await expect(open(fileOf(content))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('is not a tar archive of an image'),
    });
  });

  describe('a saved image whose manifest is not read is refused', () => {
    const oci = imageEntries(layers, 'oci');
    const other = (name: string, content: string): [string, TarContent][] =>
      oci.map(([at, bytes]) => [at, at === name ? content : bytes]);
    test.each<[string, [string, TarContent][]]>([
      ['without an index', oci.filter(([name]) => name !== 'index.json')],
      [
        'with an index of an absent manifest',
        other('index.json', `{"manifests":[{"digest":"sha256:${'a'.repeat(64)}"}]}`),
      ],
      ['with an index that is too large', other('index.json', ' '.repeat(4_000_001))],
      ['with layers alone', oci.filter(([name]) => name.startsWith('blobs/'))],
      ['of docker without a manifest', saved.filter(([name]) => name !== 'manifest.json')],
    ])('%s', async (_, entries) => {
      expect(await extractContainerImage(job(fileOf(tarOf(entries))))).toEqual({
        broken: 'its manifest is missing, too large or without layers',
      });
    });

    test('but not for other large documents before it, or a manifest of a web page', async () => {
      const junk = Array.from({ length: 17 }, (_, at): [string, Buffer] => [
        `blobs/sha256/${at}`,
        Buffer.alloc(3_900_000, 32),
      ]);
      expect((await extract(tarOf([...junk, ...saved]))).files.length).toBe(Object.keys(TREE).length);
      const page = await extract(tarOf([['manifest.json', '{"name":"shop"}']]));
      expect(page.files.map(([path]) => path)).toEqual(['manifest.json']);
    });
  });

  test.each<[string, Buffer]>([
    ['a size that is not there', tarOf([['a', { type: '0', size: 8_000_000_000 }]]).subarray(0, 600)],
    [
      'a long extended header',
      tarOf([
        ['a', { type: TAR_TYPES.pax, size: 7_000_000_000 }],
        ['b', 'x'],
      ]),
    ],
    [
      'links in a circle',
      tarOf([
        ['a/layer.tar', link('../b/layer.tar')],
        ['b/layer.tar', link('../a/layer.tar')],
        ['manifest.json', '[{"Layers":["a/layer.tar"]}]'],
      ]),
    ],
    ['a manifest of odd values', tarOf([['manifest.json', '[{"Layers":[1,null,{},"../x"],"Config":[]}]']])],
    [
      'an index in a circle',
      tarOf([
        ['oci-layout', '{}'],
        ['index.json', '{"manifests":[{"digest":"sha256:x"},7]}'],
      ]),
    ],
  ])('with %s ends', async (_, archive) => {
    const answer = await extractContainerImage(job(fileOf(archive)));
    expect('broken' in answer || answer.files.length <= 1).toBe(true);
  });

  test('random damage ends in an answer', async () => {
    const whole = tarOf(imageEntries(layers, 'oci'));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), async (at, byte, end) => {
        const hurt = Buffer.from(whole);
        hurt[at] = byte;
        const answer = await extractContainerImage(job(fileOf(hurt.subarray(0, Math.max(end, 1)))));
        expect(answer).toBeDefined();
      }),
      { numRuns: 60 },
    );
  });
});

describe('a single file', () => {
  test('is scanned by itself', async () => {
    const file = fileOf('{"bomFormat":"CycloneDX"}', 'shop.cdx.json');
    expect(await open(file)).toEqual({
      texts: { 'shop.cdx.json': '{"bomFormat":"CycloneDX"}' },
      gaps: [],
      left: [],
    });
  });

  test('over the limit is a gap', async () => {
    const { texts, gaps } = await open(fileOf('x'.repeat(2000), 'a.py'), { limits: { fileBytes: 1000 } });
    expect([texts, gaps]).toEqual([{}, ['1 file over 1000 bytes']]);
  });

  test('is opened below the folders that may be scanned alone, and has no branches', async () => {
    const outside = join(base, 'secret.txt');
    writeFileSync(outside, 'x');
    symlinkSync(outside, join(root, 'way-out.txt'));
    for (const path of [outside, join(root, 'way-out.txt'), '/etc/passwd'])
      await expect(open(path)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await open(outside, {}, { anyFolder: true })).texts).toEqual({ 'secret.txt': 'x' });
    const inside = fileOf('x', 'a.txt');
    await expect(open(inside, {}, { branch: 'main' })).rejects.toThrow('is a file, which has no branches');
    await expect(open(join(root, 'none.tar'))).rejects.toMatchObject({ code: 'not_found' });
    const pipe = join(root, 'pipe.tar');
    execFileSync('mkfifo', [pipe]);
    await expect(open(pipe)).rejects.toThrow('neither a folder nor a file');
  });
});
