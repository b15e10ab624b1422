import { AppError } from '../errors.ts';
import { createGauge, type Gauge, readGauge } from '../lib/gauge.ts';
import type { ReadFile, Reading } from './document.ts';
import { quoted } from './names.ts';

/** What reads the text of files. Bytes are taken over, `name` is for errors, and the gauge follows. */
export interface DocumentReaders {
  /** Text of a PDF, page by page. */
  readonly readPages: (
    bytes: Uint8Array,
    name: string,
    signal: AbortSignal,
    gauge: Gauge,
  ) => Promise<ReadFile>;
  /** Text of some pages, from 1, by their pictures; absent where that is switched off. */
  readonly readScans?: (
    bytes: Uint8Array,
    name: string,
    pages: readonly number[],
    gauge: Gauge,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
}

/** Reads files one at a time, since each is as a whole in memory; pictures, which take long, stand in their own line. */
export interface Readers {
  /**
   * Text of a file whose bytes `load` gives, once or twice. AppError `unsupported` for one without text, as scanned
   * ones are; `unavailable` when too many wait, of this owner's or of all.
   */
  read(
    owner: string,
    name: string,
    load: () => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Omit<ReadFile, 'wordless'>>;
  /** The files of an owner that are being read, in the order in which they came. */
  under(owner: string): Reading[];
}

/** Files that are read or wait for it in one line: of all users together, and of one. */
const WAITING = 40;
const SHARE = 10;

export function createReaders({ readPages, readScans }: DocumentReaders): Readers {
  const [texts, pictures] = [createLine(), createLine()];
  const now = new Set<{ owner: string; name: string; stage: Reading['stage']; gauge: Gauge }>();

  return {
    async read(owner, name, load, signal) {
      const one = { owner, name, stage: 'waiting' as Reading['stage'], gauge: createGauge() };
      now.add(one);
      const loaded = (stage: Reading['stage']) => {
        signal.throwIfAborted();
        one.stage = stage;
        return load();
      };
      try {
        const { wordless, ...file } = await texts(owner, async () =>
          readPages(await loaded('text'), quoted(name), signal, one.gauge),
        );
        if (wordless.length === 0) return file;
        if (!readScans) {
          if (file.pages.some(Boolean)) return file;
          throw new AppError(
            'unsupported',
            `${quoted(name)} is a PDF without text, as scanned ones are: set MAGPIE_OCR=eng where Magpie runs, and it reads the text of such pages by OCR`,
          );
        }
        one.stage = 'waiting';
        one.gauge = createGauge();
        const scans = await pictures(owner, async () =>
          readScans(await loaded('scans'), quoted(name), wordless, one.gauge, signal),
        );
        return { ...file, pages: merged(file.pages, wordless, scans, name) };
      } finally {
        now.delete(one);
      }
    },

    under: (owner) =>
      [...now]
        .filter((one) => one.owner === owner)
        .map(({ name, stage, gauge }) => ({ name, stage, ...readGauge(gauge) })),
  };
}

/** Pages with what their pictures say after their own text. AppError `unsupported` when no page has any. */
function merged(
  pages: readonly string[],
  wordless: readonly number[],
  texts: readonly string[],
  name: string,
): string[] {
  const all = [...pages];
  for (const [at, number] of wordless.entries()) {
    all[number - 1] = [all[number - 1], texts[at]].filter(Boolean).join('\n\n');
  }
  if (all.some(Boolean)) return all;
  const why = 'and its pages show none that can be read (pictures over 70 megapixels are not looked at)';
  throw new AppError('unsupported', `${quoted(name)} is a PDF without text, ${why}`);
}

/**
 * One piece of work at a time, in the order in which they come. AppError `unavailable` when too many wait; of one
 * owner that is sooner, so that nobody fills the line for all.
 */
function createLine(): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  let waiting = 0;
  /** By owner; those with none are not in it. */
  const shares = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();
  return async (owner, work) => {
    const own = shares.get(owner) ?? 0;
    if (waiting >= WAITING || own >= SHARE) {
      const what = own >= SHARE ? `${SHARE} of your files` : 'too many files';
      throw new AppError('unavailable', `${what} are being read at once; try again shortly`, {
        retryAfter: 10,
      });
    }
    waiting++;
    shares.set(owner, own + 1);
    const mine = turn.then(work, work);
    turn = mine.catch(() => {});
    return mine.finally(() => {
      waiting--;
      const left = (shares.get(owner) ?? 1) - 1;
      if (left > 0) shares.set(owner, left);
      else shares.delete(owner);
    });
  };
}
