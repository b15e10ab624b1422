import type { PageKind } from '../../src/browse/reading/page.ts';
import { docx, epub, openDocument, pptx, xlsx } from './archives.ts';
import { makePdf } from './pdf.ts';

/** What every sample says. */
export const WORDS = 'The tide mill turns';
const MAIL = `From: Ada <ada@x.example>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x.example>\r\n\r\n${WORDS}\r\n`;
const SLIDE = `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${WORDS}</a:t></a:r></a:p></p:txBody></p:sp>`;
const SHEET = `<table:table table:name="A"><table:table-row><table:table-cell><text:p>${WORDS}</text:p></table:table-cell></table:table-row></table:table>`;
const PAGE = `<draw:page><draw:frame><draw:text-box><text:p>${WORDS}</text:p></draw:text-box></draw:frame></draw:page>`;

/** A document of each kind with the same words in it; the type keeps the list whole. */
export const SAMPLES: Readonly<
  Record<PageKind, { readonly body: string | Uint8Array; readonly type?: string }>
> = {
  html: { body: `<!doctype html><p>${WORDS}</p>`, type: 'text/html' },
  pdf: { body: makePdf([WORDS]) },
  markdown: { body: `# A\n\n${WORDS}`, type: 'text/markdown' },
  text: { body: WORDS, type: 'text/plain' },
  code: { body: `# ${WORDS}\nprint(1)\n`, type: 'text/x-python' },
  json: { body: JSON.stringify({ a: WORDS }), type: 'application/json' },
  notebook: {
    body: JSON.stringify({
      cells: [{ cell_type: 'markdown', metadata: {}, source: [WORDS] }],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
    type: 'application/json',
  },
  csv: { body: `name,note\nmill,${WORDS}\n`, type: 'text/csv' },
  xml: { body: `<?xml version="1.0"?><a>${WORDS}</a>`, type: 'text/xml' },
  feed: {
    body: `<rss version="2.0"><channel><title>News</title><item><title>${WORDS}</title><link>https://x.example/1</link></item></channel></rss>`,
    type: 'application/rss+xml',
  },
  email: { body: MAIL, type: 'message/rfc822' },
  mbox: { body: `From ada@x.example Mon Nov  2 10:00:00 2026\n${MAIL}`, type: 'application/mbox' },
  calendar: {
    body: `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Mill\r\nDESCRIPTION:${WORDS}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    type: 'text/calendar',
  },
  epub: {
    body: epub({
      'a.xhtml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p>${WORDS}.</p></body></html>`,
    }),
  },
  docx: { body: docx(`<w:p><w:r><w:t>${WORDS}</w:t></w:r></w:p>`) },
  xlsx: { body: xlsx({ A: `<row><c t="inlineStr"><is><t>${WORDS}</t></is></c></row>` }) },
  pptx: { body: pptx([SLIDE]) },
  odt: { body: openDocument('text', `<text:p>${WORDS}</text:p>`) },
  ods: { body: openDocument('spreadsheet', SHEET) },
  odp: { body: openDocument('presentation', PAGE) },
  rtf: { body: `{\\rtf1\\ansi ${WORDS}\\par}` },
};
