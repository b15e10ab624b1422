import { AppError } from '../errors.ts';
import { createLimiter } from '../lib/concurrency/limiter.ts';
import { quoted } from '../lib/text/quoted.ts';
import { createGauge, type Gauge, readGauge } from '../lib/workers/gauge.ts';
import type { Reading } from './types.ts';

/** What a reader makes of a file's bytes. */
export interface ReadFile {
  /** What the file is: `pdf`, `docx`, `picture`. */
  readonly kind: string;
  readonly title: string;
  readonly author?: string;
  /** Markdown of each page, in order. */
  readonly pages: readonly string[];
  /** Pages, from 1, that may be pictures of text. */
  readonly wordless: readonly number[];
}

/** A file that is to be read: its bytes or its path, whose it is, and what shows how far it is. */
export interface FileToRead {
  readonly file: Uint8Array | string;
  readonly name: string;
  /** Of an encrypted PDF; used and forgotten. */
  readonly password?: string;
  readonly gauge: Gauge;
  readonly signal: AbortSignal;
  readonly owner: string;
}

/** A page of a PDF, given as bytes or as a path, that is to be shown; `passage` is marked, '' for nothing. */
export interface PageToShow {
  readonly file: Uint8Array | string;
  readonly page: number;
  readonly passage: string;
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** What reads the text of files; `SoFar` is what has been read of a long one. */
export interface DocumentReaders<SoFar = never> {
  /** The text page by page, or as much as one turn has time for. */
  readonly readPages: (file: FileToRead, soFar?: SoFar) => Promise<ReadFile | { readonly soFar: SoFar }>;
  /** Text of some pages, from 1, by their pictures; absent where that is switched off. */
  readonly readScans?: (file: FileToRead, pages: readonly number[]) => Promise<readonly string[]>;
  /** A page, from 1, of a PDF as PNG with a passage marked; undefined where it cannot be drawn. */
  readonly drawPage?: (page: PageToShow) => Promise<{ readonly png: Uint8Array } | undefined>;
  /** Texts that are read at once; 2 when left out. */
  readonly textsAtOnce?: number;
}

/** Reads few files at once, since each is in memory as a whole, and one of a user; pictures, which take long, have a queue of their own. */
export interface Readers {
  /**
   * Text of a file whose bytes or path `load` gives, once or several times. AppError `unsupported` for one without text, as
   * scanned ones are; `unavailable` when too many wait, of this owner's or of all.
   */
  readFile(
    file: Omit<FileToRead, 'file' | 'gauge'>,
    load: () => Promise<Uint8Array | string>,
  ): Promise<Omit<ReadFile, 'wordless'>>;
  /** The files of an owner that are being read, in the order in which they came. */
  listReading(owner: string): Reading[];
}

/** Files that are read or wait in one queue: of all users together, and of one. */
const MAX_FILES = 40;
const MAX_FILES_PER_OWNER = 10;
/** Together fewer than the readers, of which pages need one. */
const [TEXTS_AT_ONCE, PICTURES_AT_ONCE] = [2, 1];

export function createReaders<SoFar>({
  readPages,
  readScans,
  textsAtOnce = TEXTS_AT_ONCE,
}: DocumentReaders<SoFar>): Readers {
  const [texts, pictures] = [createReadingQueue(textsAtOnce), createReadingQueue(PICTURES_AT_ONCE)];
  const now = new Set<{ owner: string; name: string; stage: Reading['stage']; gauge: Gauge }>();

  return {
    async readFile(asked, load) {
      const { owner, name, signal } = asked;
      const one = { owner, name, stage: 'waiting' as Reading['stage'], gauge: createGauge() };
      now.add(one);
      const loaded = async (stage: Reading['stage']): Promise<FileToRead> => {
        signal.throwIfAborted();
        one.stage = stage;
        return { ...asked, file: await load(), gauge: one.gauge };
      };
      const turn = (soFar?: SoFar) =>
        texts.run(async () => readPages(await loaded('text'), soFar), { owner, signal });
      try {
        let read = await turn();
        // Between two turns of a long file, others have theirs.
        while ('soFar' in read) read = await turn(read.soFar);
        const { wordless, ...file } = read;
        if (wordless.length === 0) return file;
        if (!readScans) {
          if (file.pages.some(Boolean)) return file;
          throw new AppError('unsupported', withoutText(file.kind, name));
        }
        one.stage = 'waiting';
        one.gauge = createGauge();
        const scans = await pictures.run(async () => readScans(await loaded('scans'), wordless), {
          owner,
          signal,
        });
        return { ...file, pages: merged(file, wordless, scans, name) };
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

function withoutText(kind: string, name: string): string {
  const set = 'set MAGPIE_OCR=eng where Magpie runs';
  return kind === 'picture'
    ? `${quoted(name)} is a picture, and OCR is off: ${set}, and it reads the text of pictures`
    : `${quoted(name)} is a PDF without text, such as a scan: ${set}, and Magpie reads such pages by OCR`;
}

/** Pages with what their pictures say after their own text. AppError `unsupported` when no page has any. */
function merged(
  { kind, pages }: Pick<ReadFile, 'kind' | 'pages'>,
  wordless: readonly number[],
  texts: readonly string[],
  name: string,
): string[] {
  const all = [...pages];
  for (const [at, number] of wordless.entries()) {
    all[number - 1] = [all[number - 1], texts[at]].filter(Boolean).join('\n\n');
  }
  if (all.some(Boolean)) return all;
  if (kind === 'picture') {
    throw new AppError('unsupported', `${quoted(name)} is a picture in which no text can be read`);
  }
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
