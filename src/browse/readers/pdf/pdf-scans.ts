import { AppError, tooLargeError } from '../../../errors.ts';
import { processorTime } from '../../../lib/workers/processor-time.ts';
import type { Ocr } from '../ocr.ts';
import { openPdfPageDrawer, type PictureBounds } from './pdf-page-drawer.ts';

export interface OcrScanBounds extends PictureBounds {
  readonly pages: number;
  readonly time: number;
  readonly page: number;
  readonly draw: number;
}

export interface OcrScanWatch {
  tell(done: number, of: number): void;
  /** Sets a limit of processor time for the next step. A process that exceeds the limit is ended. */
  step(processorMs: number): void;
}

export async function readPdfScans(
  { body, name, password }: { readonly body: Uint8Array; readonly name: string; readonly password?: string },
  numbers: readonly number[],
  ocr: () => Promise<Ocr>,
  bounds: OcrScanBounds,
  { tell, step }: OcrScanWatch,
): Promise<string[]> {
  tell(0, numbers.length);
  step(bounds.draw);
  const file = await openPdfPageDrawer(body, name, bounds, password);
  try {
    const end = processorTime() + bounds.time;
    const texts: string[] = [];
    let pictures = 0;
    for (const number of numbers) {
      if (processorTime() > end) {
        const why = `the scanned pages of ${name} take over ${Math.round(bounds.time / 60_000)} minutes to read (${texts.length} of ${numbers.length} so far): split it`;
        throw new AppError('timeout', why);
      }
      step(bounds.draw);
      const picture = file.draw(number);
      step(Infinity);
      let text = '';
      if (picture) {
        if (++pictures > bounds.pages) {
          const why = `${name} has over ${bounds.pages} scanned pages, the maximum: split it`;
          throw tooLargeError(why);
        }
        text = await (await ocr()).read(picture, bounds.page);
      }
      texts.push(text);
      tell(texts.length, numbers.length);
    }
    return texts;
  } finally {
    file.close();
  }
}

export async function readPictureText(
  body: Uint8Array,
  ocr: Ocr,
  bounds: OcrScanBounds,
  { tell, step }: OcrScanWatch,
): Promise<string[]> {
  tell(0, 1);
  step(bounds.draw + bounds.page);
  const text = await ocr.readFile(body, bounds.page);
  tell(1, 1);
  return [text];
}
