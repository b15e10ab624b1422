import { listOrEmpty, memberOf } from '../../../lib/json-members.ts';
import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';

/** Small files and link targets of an archive, by path. `isSaved`: probably a saved container image. */
export interface ImageDocuments {
  readonly documents: ReadonlyMap<string, Buffer>;
  readonly links: ReadonlyMap<string, string>;
  readonly isSaved: boolean;
}

export interface NamedLayer {
  readonly name: string;
  /** SHA-256 of the layer in hexadecimal. `digest` is undefined if the manifest contains no digest. */
  readonly digest: string | undefined;
}

const MAX_LAYERS = 1000;
const MAX_HOPS = 10;
const DIGEST = /^sha256:([0-9a-f]{64})$/;

interface FoundLayers {
  readonly layers: readonly NamedLayer[] | undefined;
  readonly others: number;
}

export function findLayers(archive: ImageDocuments): FoundLayers {
  const found = readManifest(archive);
  const count = found.layers?.length ?? 0;
  if (count === 0 && (archive.isSaved || found.layers))
    throw new Error('its manifest is missing, too large or without layers');
  if (count > MAX_LAYERS) throw new Error(`it has over ${MAX_LAYERS} layers`);
  return found;
}

function readManifest({ documents, links }: ImageDocuments): FoundLayers {
  const read = (name: string) => parseJsonOrNothing(documents.get(name)?.toString('utf8') ?? '');
  const resolve = (name: string) => {
    let at = name;
    for (let hops = 0; hops < MAX_HOPS; hops++) at = links.get(at) ?? at;
    return at;
  };
  const saved = listOrEmpty(read('manifest.json')).filter(
    (one) => listOrEmpty(memberOf(one, 'Layers')).length > 0,
  );
  const [first] = saved;
  if (first !== undefined) {
    const digests = listOrEmpty(
      memberOf(memberOf(read(textOf(memberOf(first, 'Config'))), 'rootfs'), 'diff_ids'),
    );
    const layers = listOrEmpty(memberOf(first, 'Layers'))
      .slice(0, MAX_LAYERS + 1)
      .map((name, at) => {
        const own = /^blobs\/sha256\/([0-9a-f]{64})$/.exec(textOf(name))?.[1];
        return { name: resolve(textOf(name)), digest: own ?? DIGEST.exec(textOf(digests[at]))?.[1] };
      });
    return { layers, others: saved.length - 1 };
  }
  if (!documents.has('oci-layout')) return { layers: undefined, others: 0 };
  let manifest = read('index.json');
  let others = 0;
  for (let hops = 0; hops < MAX_HOPS && memberOf(manifest, 'manifests') !== undefined; hops++) {
    const images = listOrEmpty(memberOf(manifest, 'manifests')).filter(isImage);
    if (hops === 0) others = countImages(images) - 1;
    manifest = read(blobName(memberOf(images.find(isForLinux) ?? images[0], 'digest')) ?? '');
  }
  const layers = listOrEmpty(memberOf(manifest, 'layers')).slice(0, MAX_LAYERS + 1);
  return {
    layers: layers.map((one) => {
      const digest = memberOf(one, 'digest');
      return { name: resolve(blobName(digest) ?? ''), digest: DIGEST.exec(textOf(digest))?.[1] };
    }),
    others: Math.max(0, others),
  };
}

/** False for an attestation, which is metadata about an image and has the platform `unknown`. */
const isImage = (descriptor: unknown): boolean =>
  memberOf(memberOf(descriptor, 'platform'), 'os') !== 'unknown';

function countImages(descriptors: readonly unknown[]): number {
  const byDigest = new Map(descriptors.map((one) => [memberOf(one, 'digest'), one]));
  const counts = new Map<string, number>();
  const images = [...byDigest].map(([digest, one]) => {
    const platform = memberOf(one, 'platform');
    if (platform === undefined) return digest;
    const name = textOf(memberOf(memberOf(one, 'annotations'), 'org.opencontainers.image.ref.name'));
    const kind = JSON.stringify([name, platform]);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return JSON.stringify([name, count]);
  });
  return new Set(images).size;
}

function isForLinux(descriptor: unknown): boolean {
  const platform = memberOf(descriptor, 'platform');
  return memberOf(platform, 'os') === 'linux' && memberOf(platform, 'architecture') === 'amd64';
}

function blobName(digest: unknown): string | undefined {
  const hex = DIGEST.exec(textOf(digest))?.[1];
  return hex === undefined ? undefined : `blobs/sha256/${hex}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
