import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { asAppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { type Inventory, readInventory, stateOf } from './inventory.ts';

/** The inventory as it is at present. */
export interface Listing {
  /** Whether this process has one: without, entries are left to another process that has it. */
  readonly configured: boolean;
  current(): Inventory;
  /** Why the file, as it stands now, is not what is watched; undefined when it is. Names the line, not the folder. */
  trouble(): string | undefined;
  /** Checks the file from now on; `onChange` is called when another inventory is in use, or another trouble is known. */
  watch(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Of an inventory that never changes; of none, when it is left out. */
export function fixedListing(given?: Inventory): Listing {
  const inventory = given ?? new Map();
  return {
    configured: given !== undefined,
    current: () => inventory,
    trouble: () => undefined,
    watch() {},
    async close() {},
  };
}

/** Milliseconds between two checks of the file. */
const CHECK_INTERVAL_MS = 1000;

/**
 * The inventory of a file that its operator may edit while it is in use. A change takes effect as a whole once the file
 * is the same at two checks, so that none is read half-written; an invalid one is reported, and the one before stays.
 * Reads at once: AppError as `readInventory`.
 */
export function createListing(path: string, log: Logger, everyMs = CHECK_INTERVAL_MS): Listing {
  let { inventory, files } = readInventory(path);
  let trouble: string | undefined;
  let used = JSON.stringify([...files]);
  let seen = used;
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();
  let closed = false;

  async function checkFile(onChange: () => Promise<void>): Promise<void> {
    const now = await statesOf([...files.keys()]);
    const still = now === seen;
    seen = now;
    if (!still || now === used || closed) return;
    const before = trouble;
    used = now;
    try {
      ({ inventory, files } = readInventory(path));
      used = JSON.stringify([...files]);
      trouble = undefined;
      log.info({ inventory: path, entries: inventory.size }, 'the inventory has changed');
    } catch (error) {
      const { message } = asAppError(error);
      log.error(
        { err: error },
        `the inventory has changed and is not used, the one before stays: ${message}`,
      );
      trouble = `the inventory has changed and is not used: ${message.replaceAll(dirname(path) + sep, '')}`;
      if (trouble === before) return;
    }
    await onChange();
  }

  return {
    configured: true,
    current: () => inventory,
    trouble: () => trouble,
    watch(onChange) {
      const next = () => {
        checking = checkFile(onChange)
          .catch((err: unknown) => log.warn({ err }, 'a change of the inventory could not take effect'))
          .finally(() => {
            if (!closed) timer = setTimeout(next, everyMs).unref();
          });
      };
      next();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await checking;
    },
  };
}

/** As `readInventory` has them. */
async function statesOf(paths: readonly string[]): Promise<string> {
  const states = paths.map(async (path) => {
    try {
      return [path, stateOf(await stat(path))];
    } catch (error) {
      return [path, (error as NodeJS.ErrnoException).code];
    }
  });
  return JSON.stringify(await Promise.all(states));
}
