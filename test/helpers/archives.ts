import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** Format and flag of APPNOTE.TXT, 4.4: deflated, and names in UTF-8. */
const [STORED, DEFLATED, UTF8_NAMES] = [0, 8, 0x800];
/** 1980-01-01, the first day of a ZIP archive. */
const DAY = 0x21;

/** A gzip file that unpacks to 60 MB, in members of 1 MB (RFC 1952), of which one alone is packed. */
export function gzipBomb(fill: string | number = 0): Uint8Array {
  return Buffer.concat(Array(60).fill(gzipSync(Buffer.alloc(1_000_000, fill))));
}

/** A ZIP archive of texts by name, in order; made by zlib, which is quick with large files and with many. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 6 = 6): Uint8Array {
  const [parts, directory] = [[] as Buffer[], [] as Buffer[]];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const isStored = level === 0 || bytes.length === 0;
    const packed = isStored ? bytes : deflateRawSync(bytes, { level });
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(UTF8_NAMES, 2);
    facts.writeUInt16LE(isStored ? STORED : DEFLATED, 4);
    facts.writeUInt16LE(DAY, 8);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, name);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), facts, name, Buffer.from(packed)];
    for (const part of local) offset += part.length;
    parts.push(...local);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

const CORE =
  '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>The report</dc:title><dc:creator>Ada L.</dc:creator><dcterms:modified>2026-03-04T05:06:07Z</dcterms:modified></cp:coreProperties>';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"/>`;
const relations = (...all: string[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;

/** A chart of two series, whose values are at places of their own. */
export const CHART = `<chartSpace xmlns:c="c"><chart><title><t>Honey</t></title><plotArea><barChart>${[
  'East',
  'West',
]
  .map(
    (name, at) =>
      `<ser><tx><strRef><strCache><pt idx="0"><v>${name}</v></pt></strCache></strRef></tx><cat><strCache><pt idx="0"><v>2024</v></pt><pt idx="1"><v>2025</v></pt></strCache></cat><val><numCache><pt idx="${at}"><v>${at === 0 ? '12.5' : '9'}</v></pt></numCache></val></ser>`,
  )
  .join('')}</barChart></plotArea></chart></chartSpace>`;

/** A Word document with the given body; `more` replaces or adds parts. */
export function docx(body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  return zip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'word/document.xml')),
    'docProps/core.xml': CORE,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${R}"><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relations(
      `<Relationship Id="rId9" Type="${R}/hyperlink" Target="https://x.example/more" TargetMode="External"/>`,
    ),
    'word/styles.xml':
      '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
    ...more,
  });
}

/** An Excel workbook; each sheet is the XML between its `sheetData` tags. */
export function xlsx(
  sheets: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
  hidden: readonly string[] = [],
): Uint8Array {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${R}"><sheets>${names
      .map(
        (name, i) =>
          `<sheet name="${name}" sheetId="${i + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
      relation('rId90', 'styles', 'styles.xml'),
      relation('rId91', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/styles.xml': `<?xml version="1.0"?><styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<?xml version="1.0"?><sst xmlns="${main}"><si><t>Name</t></si><si><t>Tide | mill</t></si></sst>`,
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });
}

/** A PowerPoint presentation of slides in the given order; each is the XML of its shapes. */
export function pptx(
  slides: readonly string[],
  notes: Readonly<Record<number, string>> = {},
  hidden: readonly number[] = [],
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const wrap = (name: string, shapes: string, attributes = '') =>
    `<?xml version="1.0"?><p:${name}${attributes} xmlns:p="p" xmlns:a="a" xmlns:r="${R}"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`;
  return zip({
    '[Content_Types].xml': '<Types/>',
    'docProps/core.xml': CORE,
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation xmlns:p="p" xmlns:r="${R}"><p:sldIdLst>${slides
      .map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    // Files are numbered the other way round: the order is the presentation's to tell.
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, i) => relation(`rId${i + 1}`, 'slide', `slides/slide${slides.length - i}.xml`)),
    ),
    ...Object.fromEntries(
      slides.map((shapes, i) => [
        `ppt/slides/slide${slides.length - i}.xml`,
        wrap('sld', shapes, hidden.includes(i) ? ' show="0"' : ''),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(notes).flatMap(([index, text]) => {
        const number = slides.length - Number(index);
        return [
          [
            `ppt/slides/_rels/slide${number}.xml.rels`,
            relations(relation('rId1', 'notesSlide', `../notesSlides/notesSlide${number}.xml`)),
          ],
          [
            `ppt/notesSlides/notesSlide${number}.xml`,
            wrap(
              'notes',
              `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`,
            ),
          ],
        ];
      }),
    ),
    ...more,
  });
}

/** An OpenDocument file with the given body. */
export function openDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  styles = '',
): Uint8Array {
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:presentation="p" xmlns:xlink="x" xmlns:style="s"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'meta.xml':
      '<?xml version="1.0"?><office:document-meta xmlns:office="o" xmlns:dc="c"><office:meta><dc:title>The paper</dc:title><dc:creator>Bea M.</dc:creator><dc:date>2026-05-06T07:08:09</dc:date></office:meta></office:document-meta>',
  });
}

/** A book of chapters, by file name, in the order of its spine. */
export function epub(
  chapters: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(chapters);
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The book of mills</dc:title><dc:creator>Ada L.</dc:creator><dc:creator>Bea M.</dc:creator><dc:language>en</dc:language><dc:date>2025-01-02</dc:date></metadata><manifest><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>${names
      .map((name, i) => `<item id="c${i}" href="${encodeURI(name)}" media-type="application/xhtml+xml"/>`)
      .join('')}</manifest><spine><itemref idref="nav"/>${names
      .map((_, i) => `<itemref idref="c${i}"/>`)
      .join('')}</spine></package>`,
    'OEBPS/nav.xhtml':
      '<html><body><nav><ol><li><a href="1.xhtml">CONTENTS LINE</a></li></ol></nav></body></html>',
    ...Object.fromEntries(names.reverse().map((name) => [`OEBPS/${name}`, chapters[name] ?? ''])),
    ...more,
  });
}
