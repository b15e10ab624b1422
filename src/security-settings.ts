import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type Setting, whole } from './setting.ts';

/** Settings of scans; part of `SETTINGS`. */
export const SECURITY_SETTINGS = {
  scanRoots: {
    env: 'MAGPIE_SCAN_ROOTS',
    schema: z
      .array(
        z
          .string()
          .refine(isAbsolute)
          .transform((folder) => resolve(folder)),
      )
      .default([]),
    takes: 'absolute paths of folders, separated by commas',
    about:
      'Folders of this machine that callers of a server may scan, with all below them. `magpie scan` takes any folder of its own user.',
  },
  scanTimeout: {
    env: 'MAGPIE_SCAN_TIMEOUT',
    ...whole(1000, 86_400_000, 1_800_000),
    about: 'Milliseconds that one scan may take, waiting for its turn not counted.',
  },
  scansAtOnce: {
    env: 'MAGPIE_SCANS_AT_ONCE',
    ...whole(1, 64, 2),
    about:
      'Most scans that run at once; others wait their turn, and beyond 20 waiting ones a scan is refused.',
  },
  scansKept: {
    env: 'MAGPIE_SCANS_KEPT',
    ...whole(1, 100_000, 100),
    about: 'Most scans kept for one user, with their findings; the oldest are dropped.',
  },
} as const satisfies Record<string, Setting>;
