import type { FileTree } from '../../../trees/tree.ts';
import written from './foreign-registries.json' with { type: 'json' };

const PUBLIC_HOSTS: ReadonlySet<string> = new Set(written.public);
const SETTINGS = written.settings.map(({ ecosystem, file, address }) => ({
  ecosystem,
  file: new RegExp(file, 'i'),
  address: new RegExp(address, 'gm'),
}));
const ADDRESS = new RegExp(written.address);
const MAX_FILES = 200;
const MAX_FILE_BYTES = 2_000_000;

export function isForeignRegistryUrl(address: unknown): boolean {
  if (typeof address !== 'string' || !/^https?:/i.test(address) || !URL.canParse(address)) return false;
  return !isPublic(address);
}

function namesForeign(value: string): boolean {
  const words = value.replace(/[ \t]#.*/g, '').split(/[\s"',<>()[\]{}]+/);
  return words.some((word) => {
    const address = word.replace(/^[=:]+/, '');
    return (
      ADDRESS.test(address) && (!/^https?:/i.test(address) || /[$%]/.test(address) || !isPublic(address))
    );
  });
}

const isPublic = (address: string): boolean =>
  URL.canParse(address) && PUBLIC_HOSTS.has(new URL(address).hostname);

export async function findForeignRegistries(
  { files, read }: Pick<FileTree, 'files' | 'read'>,
  signal: AbortSignal,
): Promise<(ecosystem: string, name: string) => boolean> {
  const scopes = new Set<string>();
  const wanted = files.flatMap((file) => {
    const settings = SETTINGS.filter((one) => file.bytes <= MAX_FILE_BYTES && one.file.test(file.path));
    return settings.map((setting) => ({ file, setting }));
  });
  for (const { file, setting } of wanted.slice(0, MAX_FILES)) {
    signal.throwIfAborted();
    const text = new TextDecoder().decode(await read(file));
    for (const [, scope = '', value = ''] of text.matchAll(setting.address))
      if (namesForeign(value)) scopes.add(`${setting.ecosystem} ${scope.toLowerCase()}`);
  }
  return (ecosystem, name) =>
    scopes.has(`${ecosystem} `) ||
    (name.startsWith('@') && scopes.has(`${ecosystem} ${name.split('/', 1)[0]?.toLowerCase()}`));
}
