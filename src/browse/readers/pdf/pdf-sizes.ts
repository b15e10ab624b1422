/** A text as pdf.js returns it. Lengths are in points, except in Type 3 fonts, which have their own units. */
export interface PlacedText {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
  readonly transform: readonly number[];
}

/** Mean width of a letter in font sizes. If letters are much wider, the stated font size is wrong. */
const LETTER_SIZES = 0.5;
const UNUSUAL_SIZES = 2;
/** Maximum gap within a word, in font sizes. If the font size is wrong, pdf.js puts spaces into words. */
const KERN_SIZES = 0.12;

/** Returns texts with font sizes in points. If a stated size is wrong, computes it from letter widths. */
export function computeTextSizes<Text extends PlacedText>(
  texts: readonly Text[],
): { item: Text; size: number }[] {
  const widths = new Map<string, { width: number; letters: number; scale: number }>();
  for (const { str, width, fontName, transform } of texts) {
    if (!str.trim()) continue;
    const [a = 0, b = 0] = transform;
    const font = widths.get(fontName) ?? { width: 0, letters: 0, scale: 0 };
    font.width += width;
    font.letters += str.length;
    font.scale = Math.max(font.scale, Math.hypot(a, b));
    widths.set(fontName, font);
  }
  const sizes = new Map<string, number>();
  for (const [name, { width, letters, scale }] of widths) {
    if (width / letters > UNUSUAL_SIZES * scale) sizes.set(name, width / letters / LETTER_SIZES);
  }
  return texts.flatMap((item) => {
    const [, , c = 0, d = 0] = item.transform;
    const own = sizes.get(item.fontName);
    if (own !== undefined && !item.str.trim() && item.width < KERN_SIZES * own) return [];
    return [{ item, size: own ?? (Math.hypot(c, d) || item.height || 10) }];
  });
}
