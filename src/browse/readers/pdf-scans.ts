import { AppError } from '../../errors.ts';
import { type Gauge, setGauge } from '../../lib/gauge.ts';
import type { Ocr } from './ocr.ts';
import { openPictures, type PictureBounds } from './pdf-pictures.ts';

export interface ScanBounds extends PictureBounds {
  readonly pages: number;
  /** Milliseconds of all pages, of the reading of one, and of opening the file or drawing one, which nothing interrupts. */
  readonly time: number;
  readonly page: number;
  readonly draw: number;
}

/**
 * Reads pages, from 1, of a PDF by their pictures: Markdown of each, in order, '' where there is nothing to read. `ocr`
 * is asked for with the first picture; `gauge` follows. AppError `too_large` and `timeout` past the bounds: a part of a
 * file would pass for the whole.
 */
export async function readPdfScans(
  body: Uint8Array,
  name: string,
  numbers: readonly number[],
  ocr: () => Promise<Ocr>,
  bounds: ScanBounds,
  gauge: Gauge,
): Promise<string[]> {
  setGauge(gauge, 0, numbers.length);
  const file = await openPictures(body, name, bounds);
  try {
    const end = performance.now() + bounds.time;
    const texts: string[] = [];
    let pictures = 0;
    for (const number of numbers) {
      if (performance.now() > end) {
        const why = `the scanned pages of ${name} take over ${Math.round(bounds.time / 60_000)} minutes to read (${texts.length} of ${numbers.length} so far): split it`;
        throw new AppError('timeout', why);
      }
      const picture = file.draw(number);
      let text = '';
      if (picture) {
        if (++pictures > bounds.pages) {
          const why = `${name} has over ${bounds.pages} scanned pages, which are the most: split it`;
          throw new AppError('too_large', why);
        }
        text = await (await ocr()).read(picture, bounds.page);
      }
      texts.push(text);
      setGauge(gauge, texts.length, numbers.length);
    }
    return texts;
  } finally {
    file.close();
  }
}
