import { AppError, unavailableError } from '../errors.ts';
import { createLimiter } from '../lib/concurrency/limiter.ts';
import { quoteName } from '../lib/text/quote-name.ts';
import {
  createSharedProgress,
  readSharedProgress,
  type SharedProgress,
} from '../lib/workers/shared-progress.ts';
import type { ReadingProgress } from './types.ts';

export interface ReadDocument {
  readonly kind: string;
  readonly title: string;
  readonly author?: string;
  readonly pages: readonly string[];
  readonly wordless: readonly number[];
}

export interface DocumentReadRequest {
  readonly file: Uint8Array | string;
  readonly name: string;
  /** Password of an encrypted PDF. It is not stored. */
  readonly password?: string;
  readonly gauge: SharedProgress;
  readonly signal: AbortSignal;
  readonly owner: string;
}

export interface DocumentReaders<SoFar = never> {
  /** Reads a file's text for a limited time. To read on, call it again with the returned `soFar`. */
  readonly readPages: (
    file: DocumentReadRequest,
    soFar?: SoFar,
  ) => Promise<ReadDocument | { readonly soFar: SoFar }>;
  /** Reads the text of some pages (from 1) by OCR. Returns undefined if OCR is switched off. */
  readonly readScans?: (file: DocumentReadRequest, pages: readonly number[]) => Promise<readonly string[]>;
  /** Draws a page (from 1) of a PDF as PNG with a passage highlighted, or returns undefined if impossible. */
  readonly drawPage?: (page: {
    readonly file: Uint8Array | string;
    readonly page: number;
    readonly passage: string;
    readonly owner: string;
    readonly signal: AbortSignal;
  }) => Promise<{ readonly png: Uint8Array } | undefined>;
  readonly textsAtOnce?: number;
}

const MAX_FILES = 40;
const MAX_FILES_PER_OWNER = 10;
const [TEXTS_AT_ONCE, PICTURES_AT_ONCE] = [2, 1];

export function createDocumentReader<SoFar>({
  readPages,
  readScans,
  textsAtOnce = TEXTS_AT_ONCE,
}: DocumentReaders<SoFar>) {
  const [texts, pictures] = [createReadingQueue(textsAtOnce), createReadingQueue(PICTURES_AT_ONCE)];
  const now = new Set<{
    owner: string;
    name: string;
    stage: ReadingProgress['stage'];
    gauge: SharedProgress;
  }>();

  return {
    async readFile(
      asked: Omit<DocumentReadRequest, 'file' | 'gauge'>,
      load: () => Promise<Uint8Array | string>,
    ): Promise<Omit<ReadDocument, 'wordless'>> {
      const { owner, name, signal } = asked;
      const one = {
        owner,
        name,
        stage: 'waiting' as ReadingProgress['stage'],
        gauge: createSharedProgress(),
      };
      now.add(one);
      const loaded = async (stage: ReadingProgress['stage']): Promise<DocumentReadRequest> => {
        signal.throwIfAborted();
        one.stage = stage;
        return { ...asked, file: await load(), gauge: one.gauge };
      };
      const turn = (soFar?: SoFar) =>
        texts.run(async () => readPages(await loaded('text'), soFar), { owner, signal });
      try {
        let read = await turn();
        while ('soFar' in read) read = await turn(read.soFar);
        const { wordless, ...file } = read;
        if (wordless.length === 0) return file;
        if (!readScans) {
          if (file.pages.some(Boolean)) return file;
          throw new AppError('unsupported', withoutText(file.kind, name));
        }
        one.stage = 'waiting';
        one.gauge = createSharedProgress();
        const scans = await pictures.run(async () => readScans(await loaded('scans'), wordless), {
          owner,
          signal,
        });
        return { ...file, pages: merged(file, wordless, scans, name) };
      } finally {
        now.delete(one);
      }
    },

    listReading: (owner: string) =>
      [...now]
        .filter((one) => one.owner === owner)
        .map(({ name, stage, gauge }) => ({ name, stage, ...readSharedProgress(gauge) })),
  };
}

function withoutText(kind: string, name: string): string {
  const set = 'set MAGPIE_OCR=eng where Magpie runs';
  return kind === 'picture'
    ? `${quoteName(name)} is a picture, and OCR is off: ${set}, and it reads the text of pictures`
    : `${quoteName(name)} is a PDF without text, such as a scan: ${set}, and Magpie reads such pages by OCR`;
}

function merged(
  { kind, pages }: Pick<ReadDocument, 'kind' | 'pages'>,
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
    throw new AppError('unsupported', `${quoteName(name)} is a picture in which no text can be read`);
  }
  const why = 'and its pages show none that can be read (pictures over 70 megapixels are not read)';
  throw new AppError('unsupported', `${quoteName(name)} is a PDF without text, ${why}`);
}

function createReadingQueue(atOnce: number) {
  return createLimiter({
    concurrency: atOnce,
    concurrencyPerOwner: 1,
    maxWaiting: MAX_FILES - atOnce,
    maxWaitingPerOwner: MAX_FILES_PER_OWNER - 1,
    refuse({ own }) {
      const what = own >= MAX_FILES_PER_OWNER - 1 ? `${MAX_FILES_PER_OWNER} of your files` : 'too many files';
      return unavailableError(`${what} are being read at once; try again shortly`, { retryAfter: 10 });
    },
  });
}
