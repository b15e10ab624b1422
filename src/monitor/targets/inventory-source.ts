import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { asAppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { formatFileVersion, type Inventory, readInventory } from './inventory.ts';

export interface InventorySource {
  /** True if this process has an inventory file. Otherwise another process probes the inventory's entries. */
  readonly configured: boolean;
  current(): Inventory;
  /** Returns why the current file is not used, with the line of the error, or undefined if it is used. */
  trouble(): string | undefined;
  /** Calls `onChange` when a changed file comes into use, or when the file has a different error. */
  watch(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

export function createFixedInventorySource(given?: Inventory): InventorySource {
  const inventory = given ?? new Map();
  return {
    configured: given !== undefined,
    current: () => inventory,
    trouble: () => undefined,
    watch() {},
    async close() {},
  };
}

const CHECK_INTERVAL_MS = 1000;

/** Watches the inventory file. Reads a changed file only when it has stopped changing. */
export function createInventorySource(
  path: string,
  log: Logger,
  everyMs = CHECK_INTERVAL_MS,
): InventorySource {
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

async function statesOf(paths: readonly string[]): Promise<string> {
  const states = paths.map(async (path) => {
    try {
      return [path, formatFileVersion(await stat(path))];
    } catch (error) {
      return [path, (error as NodeJS.ErrnoException).code];
    }
  });
  return JSON.stringify(await Promise.all(states));
}
