import { AppError } from '../errors.ts';
import { createGauge, type Gauge, readGauge } from '../lib/gauge.ts';
import { createLimiter } from '../lib/limiter.ts';
import { quoted } from './names.ts';
import type { Reading } from './types.ts';

/** What a reader makes of a file's bytes. */
export interface ReadFile {
  readonly title: string;
  readonly author?: string;
  /** Markdown of each page, in order. */
  readonly pages: readonly string[];
  /** Pages, from 1, that may be pictures of text. */
  readonly wordless: readonly number[];
}

/** What reads the text of files, given as bytes or as a path; `name` is for errors, the gauge shows the progress, `owner` is whose file it is. */
export interface DocumentReaders {
  /** Text of a PDF, page by page. */
  readonly readPages: (
    file: Uint8Array | string,
    name: string,
    signal: AbortSignal,
    gauge: Gauge,
    owner: string,
  ) => Promise<ReadFile>;
  /** Text of some pages, from 1, by their pictures; absent where that is switched off. */
  readonly readScans?: (
    file: Uint8Array | string,
    name: string,
    pages: readonly number[],
    gauge: Gauge,
    signal: AbortSignal,
    owner: string,
  ) => Promise<readonly string[]>;
}

/** Reads few files at once, since each is in memory as a whole, and one of a user; pictures, which take long, have a queue of their own. */
export interface Readers {
  /**
   * Text of a file whose bytes or path `load` gives, once or twice. AppError `unsupported` for one without text, as scanned
   * ones are; `unavailable` when too many wait, of this owner's or of all.
   */
  readFile(
    owner: string,
    name: string,
    load: () => Promise<Uint8Array | string>,
    signal: AbortSignal,
  ): Promise<Omit<ReadFile, 'wordless'>>;
  /** The files of an owner that are being read, in the order in which they came. */
  listReading(owner: string): Reading[];
}

/** Files that are read or wait in one queue: of all users together, and of one. */
const MAX_FILES = 40;
const MAX_FILES_PER_OWNER = 10;
/** Together fewer than the readers, of which pages need one. */
const [TEXTS_AT_ONCE, PICTURES_AT_ONCE] = [2, 1];

export function createReaders({ readPages, readScans }: DocumentReaders): Readers {
  const [texts, pictures] = [createReadingQueue(TEXTS_AT_ONCE), createReadingQueue(PICTURES_AT_ONCE)];
  const now = new Set<{ owner: string; name: string; stage: Reading['stage']; gauge: Gauge }>();

  return {
    async readFile(owner, name, load, signal) {
      const one = { owner, name, stage: 'waiting' as Reading['stage'], gauge: createGauge() };
      now.add(one);
      const loaded = (stage: Reading['stage']) => {
        signal.throwIfAborted();
        one.stage = stage;
        return load();
      };
      try {
        const { wordless, ...file } = await texts.run(
          async () => readPages(await loaded('text'), quoted(name), signal, one.gauge, owner),
          { owner, signal },
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
        const scans = await pictures.run(
          async () => readScans(await loaded('scans'), quoted(name), wordless, one.gauge, signal, owner),
          { owner, signal },
        );
        return { ...file, pages: merged(file.pages, wordless, scans, name) };
      } finally {
        now.delete(one);
      }
    },

    listReading: (owner) =>
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
  const why = 'and its pages show none that can be read (pictures over 70 megapixels are not read)';
  throw new AppError('unsupported', `${quoted(name)} is a PDF without text, ${why}`);
}

/**
 * One piece of work of a user at a time; users take turns. AppError `unavailable` when too many wait; sooner when they are of
 * one owner, so that no one fills the queue for all.
 */
function createReadingQueue(atOnce: number) {
  return createLimiter({
    concurrency: atOnce,
    concurrencyPerOwner: 1,
    maxWaiting: MAX_FILES - atOnce,
    maxWaitingPerOwner: MAX_FILES_PER_OWNER - 1,
    refuse({ own }) {
      const what = own >= MAX_FILES_PER_OWNER - 1 ? `${MAX_FILES_PER_OWNER} of your files` : 'too many files';
      return new AppError('unavailable', `${what} are being read at once; try again shortly`, {
        retryAfter: 10,
      });
    },
  });
}
