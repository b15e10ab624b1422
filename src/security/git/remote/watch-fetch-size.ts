import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { GitStore } from '../store.ts';
import type { RemoteLocation } from './location.ts';
import type { GitRoute } from './route.ts';

export interface FetchSizeWatch {
  /** Aborts the fetch: with AppError `too_large` above the size limit, with `upstream` if the server sends useless data. */
  readonly signal: AbortSignal;
  tooLarge(): AppError;
  stop(): void;
}

export interface FetchSizeWatchOptions {
  readonly store: GitStore;
  readonly route: GitRoute;
  readonly at: RemoteLocation;
  readonly maxBytes: number;
}

const CHECK_INTERVAL_MS = 200;
/** Maximum number of received bytes without effect on disk, for example a server's list of branches. */
const MAX_UNWRITTEN_BYTES = 96 * 2 ** 20;

/** Watches the size of the pack on disk, because it can differ from the number of received bytes. */
export function watchFetchSize({ store, route, at, maxBytes }: FetchSizeWatchOptions): FetchSizeWatch {
  const controller = new AbortController();
  const tooLarge = () =>
    new AppError(
      'too_large',
      `${at.shown} is over ${Math.floor(maxBytes / 2 ** 20)} MB: scan a folder that holds it, or the operator raises MAGPIE_SCAN_FETCH_BYTES`,
    );
  let timer: NodeJS.Timeout | undefined;
  const measure = async () => {
    const written = await sizeOf(join(store.gitDir, 'objects', 'pack'));
    if (written > maxBytes) controller.abort(tooLarge());
    else if (route.bytes() > written + MAX_UNWRITTEN_BYTES) {
      controller.abort(new AppError('upstream', `${at.shown} keeps sending data that is not a repository`));
    } else if (!stopped) timer = setTimeout(measure, CHECK_INTERVAL_MS);
  };
  let stopped = false;
  timer = setTimeout(measure, CHECK_INTERVAL_MS);
  return {
    signal: controller.signal,
    tooLarge,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
