import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { badRequestError } from '../../errors.ts';
import { readFileIfExists, replaceFile } from '../assistants/write.ts';

/** Address of the local SearXNG. Only programs on the same machine can reach a loopback address. */
export const SEARXNG_URL = 'http://127.0.0.1:8888';
const CONTAINER = 'magpie-searxng';
const IMAGE = 'docker.io/searxng/searxng:latest';
export const REMOVE_COMMAND = `docker rm --force ${CONTAINER}`;

/** Returns SearXNG's `settings.yml`, whose format docs.searxng.org/admin/settings describes. */
function settingsText(secret: string): string {
  return `# SearXNG as Magpie asks it: by its JSON interface, from this machine alone.
use_default_settings: true
server:
  secret_key: "${secret}"
  # Of a SearXNG that runs without a container; the one in a container is published on 127.0.0.1 by docker run.
  bind_address: "127.0.0.1"
  port: 8888
  # Limits are for a server that strangers reach.
  limiter: false
  image_proxy: false
search:
  formats:
    - html
    - json
`;
}

export type PreparedSettings = Awaited<ReturnType<typeof writeSearxngSettings>>;

const fileIn = (folder: string) => join(folder, 'settings.yml');

export async function writeSearxngSettings(folder: string, replace: boolean) {
  const file = fileIn(folder);
  const fresh = settingsText(randomBytes(32).toString('hex'));
  const text = await readFileIfExists(file);
  if (text === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await writeFile(file, fresh, { flag: 'wx' });
    // The container runs as another user, who must be able to read the file.
    await chmod(file, 0o644);
    return { file, state: 'written', hasJson: true };
  }
  const { secret, hasJson } = readSettings(text);
  if (text === settingsText(secret)) return { file, state: 'unchanged', hasJson };
  if (!replace) return { file, state: 'kept', hasJson };
  const backup = await replaceFile(file, fresh, new Date());
  return { file, state: 'replaced', hasJson: true, ...(backup !== undefined && { backup }) };
}

export async function removeSearxngSettings(folder: string): Promise<boolean> {
  const file = fileIn(folder);
  const text = await readFileIfExists(file);
  if (text === undefined) return true;
  if (text !== settingsText(readSettings(text).secret)) return false;
  await rm(file);
  if ((await readdir(folder)).length === 0) await rmdir(folder);
  return true;
}

export const hasSearxngSettings = async (folder: string): Promise<boolean> =>
  (await readFileIfExists(fileIn(folder))) !== undefined;

function readSettings(text: string): { readonly secret: string; readonly hasJson: boolean } {
  let settings: { server?: { secret_key?: unknown }; search?: { formats?: unknown } } | undefined;
  try {
    settings = parse(text, { logLevel: 'silent' });
  } catch {}
  const formats = settings?.search?.formats;
  return {
    secret: String(settings?.server?.secret_key ?? ''),
    hasJson: Array.isArray(formats) && formats.includes('json'),
  };
}

/** Returns the shell command that starts SearXNG. Throws `bad_request` for a colon in the folder's path. */
export function searxngStartCommand(folder: string, platform: NodeJS.Platform): string {
  const isWindows = platform === 'win32';
  if (folder.slice(isWindows ? 2 : 0).includes(':'))
    throw badRequestError(
      `${folder}: Docker takes no folder with a colon in its path; name another with --to`,
    );
  const mount = `${folder}:/etc/searxng:ro,Z`;
  const quoted = isWindows ? `"${mount}"` : `'${mount.replaceAll("'", "'\\''")}'`;
  const port = `${new URL(SEARXNG_URL).host}:8080`;
  return `docker run -d --name ${CONTAINER} --restart unless-stopped -p ${port} -v ${quoted} ${IMAGE}`;
}
