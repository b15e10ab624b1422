import { withoutInvisible } from '../hidden.ts';
import type { Run } from './pdf-run.ts';
import { type Box, type Turn, turnedBox } from './pdf-turn.ts';

/** What the library says of an annotation, as far as it is used. */
export interface PdfAnnotation {
  readonly subtype?: string;
  readonly url?: string;
  readonly rect?: readonly number[];
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
  readonly defaultAppearanceData?: { readonly fontSize?: number };
  readonly textPosition?: readonly number[];
}

/** Of a field's value, and of all values of a page: one long value may be that of a thousand fields. */
const MAX_FIELD_CHARACTERS = 20_000;
const MAX_PAGE_CHARACTERS = 200_000;
/** Points of a letter where the field leaves them to the program, at most; and those of the usual margin. */
const AUTO_SIZE_POINTS = 12;
const MARGIN_POINTS = 2;
/** Letters' sizes from one line to the next, and that a letter is wide. */
const LINE_SIZES = 1.2;
const LETTER_SIZES = 0.5;
/** Hidden, and not to be seen on a screen. */
const UNSEEN_FLAGS = 2 | 32;
/** A line of a field's value, and where the field's label stands. */
export interface FieldRun extends Run {
  readonly label: 'before' | 'after' | 'none';
}

/**
 * What is filled into a page's form, and texts that are put on it as notes, where they stand: the value of a field comes
 * to the line of its label. A box that is ticked is `[x]`, another `[ ]`; passwords and hidden fields are left out.
 */
export function fieldRuns(annotations: readonly PdfAnnotation[], turn: Turn): FieldRun[] {
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
  const { subtype, rect, annotationFlags = 0, contentsObj } = annotation;
  if (!rect || annotationFlags & UNSEEN_FLAGS) return '';
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  return subtype === 'Widget' ? filledIn(annotation) : '';
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

/** A run for each of its lines. */
function placed(text: string, annotation: PdfAnnotation, turn: Turn): Run[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = annotation.rect ?? [];
  const box: Box = turnedBox(turn, [x1, y1, x2, y2]);
  const [left, bottom, right, top] = box;
  const lines = text.split(/[\r\n]/);
  const height = top - bottom;
  const given = annotation.defaultAppearanceData?.fontSize ?? 0;
  const size = Math.min(given || AUTO_SIZE_POINTS, height);
  const rise = annotation.textPosition?.[1];
  const isOne = lines.length === 1 && height < 3 * size;
  // The base line of the only line, or of the first of several.
  const first = isOne ? bottom + (turn === 0 && rise ? rise : (height - 0.7 * size) / 2) : top - size;
  const step = Math.min(LINE_SIZES * size, height / lines.length);
  return lines.flatMap((line, at) =>
    line.trim() === ''
      ? []
      : {
          text: line.trimStart(),
          x: left + MARGIN_POINTS,
          y: first - at * step,
          width: Math.min(
            line.trim().length * LETTER_SIZES * size,
            Math.max(1, right - left - MARGIN_POINTS),
          ),
          size,
        },
  );
}
