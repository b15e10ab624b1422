import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, numberedPdf } from '../../helpers/pdf.ts';

const CZECH = 'Příčná ulice v Českém Krumlově je dlouhá 27 metrů';
const url = 'https://files.example/own.pdf';
const textOf = async (body: Uint8Array) => (await readPdf(body, url)).markdown;

describe('fonts that only number their glyphs', () => {
  it('are read by the table of the embedded font', async () => {
    const { markdown, title } = await readPdf(numberedPdf([{ text: CZECH }], 'Ulice'), url);
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
