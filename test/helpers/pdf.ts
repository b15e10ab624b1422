import { deflateSync } from 'node:zlib';

/** A PDF of real text, one string a page, written by hand; `info` goes into its document information. */
export function makePdf(pages: readonly string[], info = '', encrypt = ''): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [i, text] of pages.entries()) {
    const lines = text
      .split('\n')
      .map((line, n) => `1 0 0 1 50 ${780 - n * 14} Tm (${line.replace(/[()\\]/g, '\\$&')}) Tj`);
    const stream = `BT /F1 11 Tf ${lines.join(' ')} ET`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
    );
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  if (info) add(info);
  const reference = info ? `/Info ${objects.length} 0 R` : '';
  return withTable(objects, `${reference} ${encrypt}`);
}

/** Objects, the first of them the catalogue, as a file with its table of places. */
export function withTable(objects: readonly string[], trailer: string): Buffer {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = body.length;
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

/** A piece of text on a page: points from the left and the bottom, and the size of its letters. */
export interface Piece {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  /** Where a link over it leads. */
  readonly url?: string;
}

/** A PDF whose pages (600 by 842 points) have the given pieces, drawn in the given order. */
export function layPdf(pages: readonly (readonly Piece[])[]): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>');
  const kids: string[] = [];
  for (const pieces of pages) {
    const text = pieces.map(
      ({ x, y, size, text }) => `/F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`,
    );
    const stream = `BT ${text.join(' ')} ET`;
    const links = pieces.flatMap(({ x, y, size, text, url }) =>
      url
        ? [
            `<< /Type /Annot /Subtype /Link /Rect [${x} ${y - 2} ${x + text.length * size * 0.6} ${y + size}] /A << /S /URI /URI (${url}) >> >>`,
          ]
        : [],
    );
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length} 0 R /Annots [${links.join(' ')}] >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return withTable(objects, '');
}

/**
 * A page of one line in a font whose glyphs only its own map (ToUnicode) tells; drawn in the order given. `codes` says
 * whether the codes are the glyphs' numbers, or are mapped to them by an embedded CMap.
 */
export function makeGlyphPdf(
  text: string,
  { codes = 'identity' }: { readonly codes?: 'identity' | 'embedded' } = {},
): Buffer {
  const glyphs = [...text];
  const first = codes === 'identity' ? 1 : 0x8140;
  const code = (at: number) => (at + first).toString(16).padStart(4, '0');
  const encoding = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def /CMapName /Codes def /CMapType 1 def
1 begincodespacerange <8140> <ffff> endcodespacerange
1 begincidrange <${code(0)}> <${code(glyphs.length - 1)}> 1 endcidrange
endcmap CMapName currentdict /CMap defineresource pop end end`;
  const maps = glyphs.map((glyph, at) => {
    const utf16 = Buffer.from(glyph, 'utf16le').swap16().toString('hex');
    return `<${code(at)}> <${utf16}>`;
  });
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${maps.length} beginbfchar\n${maps.join('\n')}\nendbfchar endcmap end end`;
  const contents = `BT /F1 12 Tf 1 0 0 1 50 600 Tm <${glyphs.map((_, at) => code(at)).join('')}> Tj ET`;
  const stream = (body: string) => `<< /Length ${body.length} >>\nstream\n${body}\nendstream`;
  return withTable(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      `<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding ${codes === 'identity' ? '/Identity-H' : '9 0 R'} /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
      stream(contents),
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R /DW 600 >>',
      stream(cmap),
      '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
      `<< /Type /CMap /CMapName /Codes /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /Length ${encoding.length} >>\nstream\n${encoding}\nendstream`,
    ],
    '',
  );
}

/**
 * A PDF of one page whose letters are pictures of 20 units, drawn at 0.24 points a unit, as dvips writes them. Each line is a list
 * of words and moves between them, in units: 14 is a blank, 1 a kern within a word.
 */
export function picturedPdf(lines: readonly (readonly (string | number)[])[]): Buffer {
  const codes = Array.from({ length: 95 }, (_, at) => 32 + at);
  const shown = lines.map((line, at) => {
    const pieces = line.map((one) => (typeof one === 'string' ? `(${one})` : String(-1000 * one)));
    return `1 0 0 1 200 ${3200 - 50 * at} Tm [${pieces.join(' ')}] TJ`;
  });
  const stream = `q 0.24 0 0 0.24 0 0 cm BT /F1 1 Tf ${shown.join(' ')} ET Q`;
  const glyph = '20 0 0 0 18 28 d1 0 0 18 28 re f';
  const unicode =
    '1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange';
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap ${unicode} endcmap end end`;
  return withTable(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 32 /LastChar 126 ` +
        `/Widths [${codes.map(() => 20).join(' ')}] /CharProcs << /g 6 0 R >> /ToUnicode 7 0 R ` +
        `/Encoding << /Type /Encoding /Differences [32 ${codes.map(() => '/g').join(' ')}] >> >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      `<< /Length ${glyph.length} >>\nstream\n${glyph}\nendstream`,
      `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
    ],
    '',
  );
}

interface NumberedFont {
  readonly text: string;
  /** How many of its letters the font names; all unless given. With none, it has no table of them. */
  readonly named?: number;
}

/** A page with a line of text in each font. Its codes number the glyphs of an embedded TrueType font, and no map names them. */
export function numberedPdf(fonts: readonly NumberedFont[], title = ''): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '', ''];
  const add = (body: string) => objects.push(body);
  const stream = (bytes: Buffer, entries = '') => {
    const packed = deflateSync(bytes).toString('latin1');
    return add(`<< /Filter /FlateDecode /Length ${packed.length} ${entries}>>\nstream\n${packed}\nendstream`);
  };
  const names: string[] = [];
  const drawn = fonts.map(({ text, named }, at) => {
    const letters = [...new Set(text)].sort();
    const file = stream(trueType(letters, letters.slice(0, named)));
    const descriptor = add(
      `<< /Type /FontDescriptor /FontName /Own${at} /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 ${file} 0 R >>`,
    );
    const glyphs = add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own${at} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity /DW 600 >>`,
    );
    const font = add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /Own${at} /Encoding /Identity-H /DescendantFonts [${glyphs} 0 R] >>`,
    );
    names.push(`/F${at} ${font} 0 R`);
    const codes = [...text].map((letter) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0'));
    return `BT /F${at} 12 Tf 1 0 0 1 50 ${700 - 40 * at} Tm <${codes.join('')}> Tj ET`;
  });
  objects[2] = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << ${names.join(' ')} >> >> /Contents ${stream(Buffer.from(drawn.join('\n')))} 0 R >>`;
  objects[3] = `<< /Title (${title}) >>`;
  return withTable(objects, '/Info 4 0 R');
}

/** A TrueType font of empty glyphs, the first letter being glyph 1. */
function trueType(letters: readonly string[], named: readonly string[]): Buffer {
  const u16 = (...values: number[]) => Buffer.from(values.flatMap((one) => [(one >> 8) & 255, one & 255]));
  const u32 = (value: number) => u16(value >>> 16, value);
  const codes = named.map((letter) => letter.codePointAt(0) ?? 0);
  const ends = [...codes, 0xffff];
  const table = u16(
    ...[4, 16 + 8 * ends.length, 0, 2 * ends.length, 0, 0, 0, ...ends, 0, ...ends],
    ...ends.map((code, at) => at + 1 - code),
    ...ends.map(() => 0),
  );
  const count = letters.length + 1;
  const tables = {
    ...(codes.length > 0 && { cmap: Buffer.concat([u16(0, 1, 3, 1), u32(12), table]) }),
    glyf: Buffer.alloc(16),
    head: Buffer.concat([u32(0x10000), u32(0), u32(0), u32(0x5f0f3cf5), u16(0, 1000), Buffer.alloc(34)]),
    hhea: Buffer.concat([u32(0x10000), u16(800, 0x10000 - 200), Buffer.alloc(26), u16(count)]),
    hmtx: u16(...Array.from({ length: count }, () => [600, 0]).flat()),
    loca: Buffer.alloc(2 * count + 2),
    maxp: Buffer.concat([u32(0x10000), u16(count), Buffer.alloc(26)]),
  };
  let at = 12 + 16 * Object.keys(tables).length;
  const records = Object.entries(tables).map(([tag, bytes]) => {
    const record = Buffer.concat([Buffer.from(tag), u32(0), u32(at), u32(bytes.length)]);
    at += bytes.length;
    return record;
  });
  return Buffer.concat([u32(0x10000), u16(records.length, 0, 0, 0), ...records, ...Object.values(tables)]);
}
