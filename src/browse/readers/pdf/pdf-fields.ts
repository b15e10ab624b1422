import { withoutInvisible } from '../../../lib/text/invisible.ts';
import { type QuarterTurns, type Rectangle, turnRectangle } from './pdf-turn.ts';
import type { PdfRun } from './runs/pdf-run.ts';

export interface PdfAnnotation {
  readonly subtype?: string;
  readonly url?: string;
  readonly rect?: readonly number[];
  readonly quadPoints?: ArrayLike<number>;
  readonly annotationFlags?: number;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: unknown;
  readonly buttonValue?: unknown;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  readonly contentsObj?: { readonly str?: string };
  readonly titleObj?: { readonly str?: string };
  readonly stateModel?: unknown;
  readonly defaultAppearanceData?: { readonly fontSize?: number };
  readonly textPosition?: readonly number[];
}

/** Maximum characters of one field's value. `MAX_PAGE_CHARACTERS` limits all values of a page together. */
const MAX_FIELD_CHARACTERS = 20_000;
const MAX_PAGE_CHARACTERS = 200_000;
/** Maximum font size, in points, of a form field that does not state its font size. */
const AUTO_SIZE_POINTS = 12;
const MARGIN_POINTS = 2;
/** Line height, as a multiple of the font size. `LETTER_SIZES` is the mean width of a letter. */
const LINE_SIZES = 1.2;
const LETTER_SIZES = 0.5;
/** Flags of PDF annotations: hidden (2), and not shown on screens (32). */
const UNSEEN_FLAGS = 2 | 32;
/** One line of a form field's value. `label` says on which side of the field its label is. */
export interface FieldRun extends PdfRun {
  readonly label: 'before' | 'after' | 'none';
}

/** Returns form values and free-text annotations as text runs. Omits passwords and hidden fields. */
export function fieldRuns(annotations: readonly PdfAnnotation[], turn: QuarterTurns): FieldRun[] {
  const runs: FieldRun[] = [];
  let left = MAX_PAGE_CHARACTERS;
  for (const annotation of annotations) {
    const value = textOf(annotation).slice(0, Math.min(left, MAX_FIELD_CHARACTERS));
    left -= value.length;
    const text = withoutInvisible(value);
    const label =
      annotation.subtype === 'FreeText' ? 'none' : annotation.fieldType === 'Btn' ? 'after' : 'before';
    if (text.trim())
      for (const run of placed(text, annotation, turn)) runs.push({ ...run, label, isField: true });
  }
  return runs;
}

function textOf(annotation: PdfAnnotation): string {
  const { subtype, rect, contentsObj } = annotation;
  if (!rect || isUnseen(annotation)) return '';
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  return subtype === 'Widget' ? filledIn(annotation) : '';
}

export function isUnseen({ annotationFlags = 0 }: PdfAnnotation): boolean {
  return (annotationFlags & UNSEEN_FLAGS) !== 0;
}

function filledIn(field: PdfAnnotation): string {
  const { fieldType, fieldValue, password, checkBox, radioButton } = field;
  if (fieldType === 'Tx' && !password) return typeof fieldValue === 'string' ? fieldValue : '';
  if (fieldType === 'Ch') {
    const chosen: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
    const names = chosen.map(
      (value) => field.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
    );
    return names.filter((name) => typeof name === 'string' && name !== '').join(', ');
  }
  if (fieldType !== 'Btn' || !(checkBox || radioButton)) return '';
  const ticked = typeof fieldValue === 'string' && fieldValue !== 'Off';
  return ticked && fieldValue === (checkBox ? field.exportValue : field.buttonValue) ? '[x] ' : '[ ] ';
}

function placed(text: string, annotation: PdfAnnotation, turn: QuarterTurns): PdfRun[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = annotation.rect ?? [];
  const box: Rectangle = turnRectangle(turn, [x1, y1, x2, y2]);
  const [left, bottom, right, top] = box;
  const lines = text.split(/[\r\n]/);
  const [widest, height] = [Math.max(1, right - left - MARGIN_POINTS), top - bottom];
  const given = annotation.defaultAppearanceData?.fontSize ?? 0;
  const size = Math.min(given || AUTO_SIZE_POINTS, height);
  const rise = annotation.textPosition?.[1];
  const isOne = lines.length === 1 && height < 3 * size;
  const first = isOne ? bottom + (turn === 0 && rise ? rise : (height - 0.7 * size) / 2) : top - size;
  const step = Math.min(LINE_SIZES * size, height / lines.length);
  return lines.flatMap((line, at) =>
    line.trim() === ''
      ? []
      : {
          text: line.trimStart(),
          x: left + MARGIN_POINTS,
          y: first - at * step,
          width: Math.min(line.trim().length * LETTER_SIZES * size, widest),
          size,
        },
  );
}
