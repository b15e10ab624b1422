import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Paragraph } from 'tesseract.js';
import { type AppError, unavailableError } from '../../errors.ts';
import { withinProcessorTime } from '../../lib/workers/processor-time.ts';
import type { GreyPicture } from './pdf/pdf-page-drawer.ts';

export interface Ocr {
  /** Returns the text, or '' after a failure or after `ms` milliseconds of processor time. */
  read(picture: GreyPicture, ms: number): Promise<string>;
  readFile(bytes: Uint8Array, ms: number): Promise<string>;
  close(): Promise<void>;
}

/** Text below this confidence (0 to 100) is dropped: Tesseract has probably mistaken patterns for letters. */
const MIN_CONFIDENCE = 45;
const LOAD_MS = 60_000;
/** Assumed resolution of a picture in pixels per inch. It suits screenshots and scans. */
const ASSUMED_DPI = 200;
const require = createRequire(import.meta.url);

/** Loads an installed model, such as `eng`, offline. Throws AppError `unavailable` for a missing package. */
export async function createOcr(language: string): Promise<Ocr> {
  const data = `@tesseract.js-data/${language}`;
  const langPath = join(dirname(found(`${data}/package.json`, data)), '4.0.0_best_int');
  await access(join(langPath, `${language}.traineddata.gz`)).catch((cause) => {
    throw missing(data, cause);
  });
  found('tesseract.js', 'tesseract.js');
  const { createWorker, OEM } = await import('tesseract.js');

  const start = async () => {
    const failed = Promise.withResolvers<never>();
    // Tesseract may fail after this promise was awaited. Without this handler, Node.js would end the process.
    failed.promise.catch(() => {});
    const loading = createWorker(language, OEM.LSTM_ONLY, {
      langPath,
      gzip: true,
      cacheMethod: 'none',
      errorHandler: (error: unknown) => failed.reject(new Error(`tesseract: ${String(error)}`)),
    });
    return withinProcessorTime(LOAD_MS, Promise.race([loading, failed.promise]));
  };
  let worker = await start();

  const recognize = async (image: Buffer, dpi: number, ms: number) => {
    try {
      await worker.setParameters({ user_defined_dpi: String(Math.max(70, dpi)) });
      const { data } = await withinProcessorTime(
        ms,
        worker.recognize(image, {}, { text: false, blocks: true }),
      );
      return markdownOf((data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs));
    } catch {
      await worker.terminate();
      worker = await start();
      return '';
    }
  };

  return {
    read({ width, height, pixels, dpi }, ms) {
      const image = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
      return recognize(image, dpi, ms);
    },
    readFile: (bytes, ms) => recognize(Buffer.from(bytes), ASSUMED_DPI, ms),
    async close() {
      await worker.terminate();
    },
  };
}

function found(path: string, name: string): string {
  try {
    return require.resolve(path);
  } catch (cause) {
    throw missing(name, cause);
  }
}

function missing(name: string, cause: unknown): AppError {
  return unavailableError(
    `scanned pages cannot be read, since the package ${name} is not installed: npm install ${name}, or set MAGPIE_OCR=off`,
    { cause },
  );
}

function markdownOf(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .filter(({ text, confidence }) => confidence >= MIN_CONFIDENCE && /[\p{L}\p{N}]/u.test(text))
    .map(({ text }) =>
      text
        .trim()
        .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
        .replace(/\s+/g, ' '),
    )
    .join('\n\n');
}
