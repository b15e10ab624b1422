import { AppError } from '../../errors.ts';
import { type Gauge, setGauge } from '../../lib/gauge.ts';
import type { Ocr } from './ocr.ts';
import { openPdf } from './pdf.ts';
import { type PagePicture, pictureOfPage } from './pdf-pictures.ts';

/** What is read out of the pictures of some pages. */
export interface PdfScans {
  /** Markdown of each page that was asked for, in order; '' where there is nothing to read. */
  readonly texts: readonly string[];
  /** Pages, from 1, whose picture could not be unpacked. */
  readonly locked: readonly number[];
}

export interface ScanBounds {
  readonly pages: number;
  /** Milliseconds of all pages, and of one. */
  readonly time: number;
  readonly page: number;
  /** Of one image as the file has it, and of the page that is put together. */
  readonly imagePixels: number;
  readonly pagePixels: number;
}

/**
 * Reads pages, from 1, of a PDF by their pictures. `body` is taken over; `ocr` is asked for with the first picture;
 * `gauge` follows. AppError `too_large` and
 * `timeout` past the bounds: a part of a file would pass for the whole.
 */
export async function readPdfScans(
  body: Uint8Array,
  name: string,
  numbers: readonly number[],
  ocr: () => Promise<Ocr>,
  bounds: ScanBounds,
  gauge: Gauge,
): Promise<PdfScans> {
  const document = await openPdf(body, name, { maxImageSize: bounds.imagePixels });
  try {
    const end = performance.now() + bounds.time;
    const texts: string[] = [];
    const locked: number[] = [];
    let pictures = 0;
    setGauge(gauge, 0, numbers.length);
    for (const number of numbers) {
      if (performance.now() > end) {
        const why = `the scanned pages of ${name} take over ${Math.round(bounds.time / 60_000)} minutes to read (${texts.length} of ${numbers.length} so far): split it`;
        throw new AppError('timeout', why);
      }
      const page = await document.getPage(number);
      // A page that is broken costs its own text only.
      const seen = await pictureOfPage(page, bounds.pagePixels).catch((): PagePicture => ({ locked: 1 }));
      page.cleanup();
      let text = '';
      if (seen.picture) {
        if (++pictures > bounds.pages) {
          const why = `${name} has over ${bounds.pages} scanned pages, which are the most: split it`;
          throw new AppError('too_large', why);
        }
        text = await (await ocr()).read(seen.picture, bounds.page);
      }
      if (text === '' && seen.locked > 0) locked.push(number);
      texts.push(text);
      setGauge(gauge, texts.length, numbers.length);
    }
    return { texts, locked };
  } finally {
    await document.loadingTask.destroy();
  }
}
