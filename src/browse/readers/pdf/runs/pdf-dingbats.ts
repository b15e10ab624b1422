import tables from './dingbats.json' with { type: 'json' };

const FONTS: Readonly<Record<string, Readonly<Record<string, string>>>> = tables.fonts;
/** Signs of ZapfDingbats by the names of their glyphs, for example ✔ for `a20`. */
export const DINGBATS: ReadonlyMap<string, string> = new Map(Object.entries(tables.names));

/** Returns a text's signs. pdf.js returns codes for fonts of signs. `font` is the CSS list of fonts to use. */
export function withDingbats(text: string, font = ''): string {
  const [family = 'embedded'] = /dingbats|wingdings(?: ?2(?!\d))?|webdings/i.exec(font) ?? [];
  const signs = FONTS[family.toLowerCase().replace(' ', '')];
  return text.replace(/[!-ÿŸ\uf0fb-\uf0fe]/g, (code) => signs?.[code] ?? code);
}
