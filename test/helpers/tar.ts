import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A file by its content, or another entry by its type and target. */
export type TarContent =
  | string
  | Buffer
  | { readonly type: string; readonly target?: string; readonly size?: number };

/** Types of entries in a header of tar. */
export const TAR_TYPES = {
  hardLink: '1',
  symbolicLink: '2',
  device: '3',
  folder: '5',
  pipe: '6',
  pax: 'x',
} as const;

const BLOCK = 512;

/** A tar archive of these entries, in their order. */
export function tarOf(entries: Iterable<readonly [path: string, content: TarContent]>): Buffer {
  const blocks: Buffer[] = [];
  for (const [path, content] of entries) {
    const isFile = typeof content === 'string' || Buffer.isBuffer(content);
    const bytes = isFile ? Buffer.from(content) : Buffer.alloc(0);
    const { type = '0', target = '', size = bytes.length } = isFile ? {} : content;
    blocks.push(
      header(path, type, target, size),
      bytes,
      Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
    );
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(path: string, type: string, target: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export type ImageForm = 'docker' | 'docker-blobs' | 'oci' | 'oci-index';

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Entries of an image as a program saves it, of tar archives of its layers. */
export function imageEntries(layers: readonly Buffer[], form: ImageForm): [string, Buffer][] {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const blob = (bytes: Buffer): [string, Buffer] => [`blobs/sha256/${sha256(bytes)}`, bytes];
  const descriptor = (bytes: Buffer) => ({ digest: `sha256:${sha256(bytes)}`, size: bytes.length });
  const config = json({ rootfs: { type: 'layers', diff_ids: layers.map((one) => `sha256:${sha256(one)}`) } });
  if (form === 'docker') {
    const names = layers.map((_, at) => `layer-${at}/layer.tar`);
    const manifest = json([{ Config: 'config.json', RepoTags: ['shop:1'], Layers: names }]);
    return [
      ['config.json', config],
      ...names.map((name, at): [string, Buffer] => [name, layers[at] ?? Buffer.alloc(0)]),
      ['manifest.json', manifest],
    ];
  }
  const packed = form === 'docker-blobs' ? layers : layers.map((one) => gzipSync(one));
  const blobs = [config, ...packed].map(blob);
  if (form === 'docker-blobs') {
    const [first, ...rest] = blobs.map(([name]) => name);
    return [...blobs, ['manifest.json', json([{ Config: first, Layers: rest }])]];
  }
  const manifest = json({ schemaVersion: 2, config: descriptor(config), layers: packed.map(descriptor) });
  const list = json({
    manifests: [
      { ...descriptor(json({})), platform: { os: 'unknown', architecture: 'unknown' } },
      { ...descriptor(manifest), platform: { os: 'linux', architecture: 'amd64' } },
    ],
  });
  const named = form === 'oci' ? manifest : list;
  return [
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    ...blobs,
    blob(manifest),
    ...(form === 'oci' ? [] : [blob(list)]),
    ['index.json', json({ manifests: [descriptor(named)] })],
  ];
}
