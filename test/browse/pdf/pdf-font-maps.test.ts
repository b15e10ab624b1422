import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, numberedPdf } from '../../helpers/pdf.ts';

const CZECH = 'Příčná ulice v Českém Krumlově je dlouhá 27 metrů';
const url = 'https://files.example/own.pdf';
const textOf = async (body: Uint8Array) => (await readPdf(body, url)).markdown;

/** Moves all objects without a stream into an object stream, as programs of today write files. */
function packed(file: Buffer): Buffer {
  const objects = [...file.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)\nendobj\n/gs)].map(
    ([, number, text = '']) => ({ number: Number(number), text }),
  );
  const inside = objects.filter(({ text }) => !text.includes('stream\n'));
  const [places, holder] = [new Map<number, readonly [number, number, number]>(), objects.length + 1];
  let body = '%PDF-1.5\n';
  const add = (number: number, text: string) => {
    places.set(number, [1, body.length, 0]);
    body += `${number} 0 obj\n${text}\nendobj\n`;
  };
  for (const { number, text } of objects) if (text.includes('stream\n')) add(number, text);
  let length = 0;
  const pairs = inside.map(({ number, text }, at) => {
    places.set(number, [2, holder, at]);
    length += text.length + 1;
    return `${number} ${length - text.length - 1}`;
  });
  const first = `${pairs.join(' ')} `;
  const content = deflateSync(first + inside.map(({ text }) => text).join('\n')).toString('latin1');
  add(
    holder,
    `<< /Type /ObjStm /N ${inside.length} /First ${first.length} /Filter /FlateDecode /Length ${content.length} >>\nstream\n${content}\nendstream`,
  );
  const start = body.length;
  places.set(holder + 1, [1, start, 0]);
  const table = Buffer.alloc(7 * (holder + 2));
  for (const [number, [kind, place, at]] of places) {
    table.writeUInt8(kind, 7 * number);
    table.writeUInt32BE(place, 7 * number + 1);
    table.writeUInt16BE(at, 7 * number + 5);
  }
  add(
    holder + 1,
    `<< /Type /XRef /W [1 4 2] /Size ${holder + 2} /Root 1 0 R /Info 4 0 R /Length ${table.length} >>\nstream\n${table.toString('latin1')}\nendstream`,
  );
  return Buffer.from(`${body}startxref\n${start}\n%%EOF\n`, 'latin1');
}

describe('fonts that only number their glyphs', () => {
  it('are read by the table of the embedded font', async () => {
    const { markdown, title } = await readPdf(numberedPdf([{ text: CZECH }], 'Ulice'), url);
    expect({ markdown, title }).toEqual({ markdown: CZECH, title: 'Ulice' });
  });

  it('are read in a file whose objects are packed', async () => {
    const { markdown, title } = await readPdf(packed(numberedPdf([{ text: CZECH }], 'Ulice')), url);
    expect({ markdown, title }).toEqual({ markdown: CZECH, title: 'Ulice' });
  });

  it('are read in a file with bytes before its header', async () => {
    const file = Buffer.concat([Buffer.from('moved\n'), numberedPdf([{ text: CZECH }])]);
    expect(await textOf(file)).toBe(CZECH);
  });

  it('are read beside each other, each by its own table', async () => {
    const fonts = [{ text: CZECH }, { text: 'A second line of other letters' }] as const;
    expect(await textOf(numberedPdf(fonts))).toBe(`${CZECH} ${fonts[1].text}`);
  });

  it('are named as unreadable where the font names no letters, beside text that can be read', async () => {
    const markdown = await textOf(numberedPdf([{ text: CZECH }, { text: 'Nobody knows these', named: 0 }]));
    expect(markdown).toMatch(/^Příčná ulice.*metrů\n\nUnreadable: text in a font [^\n]*$/);
  });

  it('are named as unreadable where the font names but some of the letters', async () => {
    const markdown = await textOf(numberedPdf([{ text: 'abcabc xyz', named: 4 }]));
    expect(markdown).toMatch(/^abcabc\n\nUnreadable: /);
  });

  it('refuse a file without any other text, and say why', async () => {
    await expect(textOf(numberedPdf([{ text: CZECH, named: 0 }]))).rejects.toThrow(
      /font that does not say which letters/,
    );
    await expect(textOf(layPdf([[]]))).rejects.toThrow('without text, such as a scan');
  });
});
