import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { asAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type Inventory, readInventory, stateOf } from './inventory.ts';

/** The inventory as it is at present. */
export interface Listing {
  /** Whether there is one in this process: without, entries are the business of another that has it. */
  readonly configured: boolean;
  current(): Inventory;
  /** Why the file, as it stands now, is not what is watched; undefined when it is. Names the line, not the folder. */
  trouble(): string | undefined;
  /** Looks at the file from now on; called when another inventory holds, or another trouble. */
  watch(onChange: () => void): void;
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

/** Milliseconds between two looks at the file. */
const EVERY = 1000;

/**
 * The inventory of a file that its operator may edit while it is in use. A change holds as a whole once the file has
 * stood still from one look to the next, so that no half-written one is taken; a faulty one is told, and the one before
 * stays. Reads at once: AppError as `readInventory`.
 */
export function createListing(path: string, log: Logger, everyMs = EVERY): Listing {
  let { inventory, files } = readInventory(path);
  let trouble: string | undefined;
  let used = JSON.stringify([...files]);
  let seen = used;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let closed = false;

  async function look(onChange: () => void): Promise<void> {
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
    onChange();
  }

  return {
    configured: true,
    current: () => inventory,
    trouble: () => trouble,
    watch(onChange) {
      const next = () => {
        looking = look(onChange)
          .catch((err: unknown) => log.warn({ err }, 'a change of the inventory could not be taken up'))
          .finally(() => {
            if (!closed) timer = setTimeout(next, everyMs).unref();
          });
      };
      next();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
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
