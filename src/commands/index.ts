import type { Command } from '../command.ts';
import { indexPages } from './index-pages.ts';
import { exportEntries, importEntries } from './kb.ts';

/** Every command of the terminal that is no operation, in the order of `magpie --help`. */
export const commands: readonly Command[] = [indexPages, exportEntries, importEntries];
