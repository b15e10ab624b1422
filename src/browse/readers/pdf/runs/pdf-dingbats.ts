import tables from './dingbats.json' with { type: 'json' };

const FONTS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(tables.fonts).map(([name, { codes, signs }]) => {
    const all = [...signs];
    return [name, new Map([...codes].map((code, at) => [code, all[at] ?? '']))];
  }),
);
const NAMES = new Map(tables.names.split(' ').map((name, at) => [name, tables.fonts.dingbats.signs[at]]));
/** Returns a text's signs. pdf.js returns codes for fonts of signs. `font` is the CSS list of fonts to use. */
export function withDingbats(text: string, font = ''): string {
  const [family = 'embedded'] = /dingbats|wingdings(?: ?2(?!\d))?|webdings/i.exec(font) ?? [];
  const signs = FONTS.get(family.toLowerCase().replace(' ', ''));
  return text.replace(/[!-ÿŸ\uf0fb-\uf0fe]/g, (code) => signs?.get(code) ?? code);
}

/** Returns the sign for a glyph of ZapfDingbats, for example ✔ for `a20`. */
export const dingbatNamed = (name: string): string | undefined => NAMES.get(name);
