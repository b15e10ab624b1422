import { type ImportFields, parseTimeMicros } from '../importing/import-values.ts';
import { readHtmlFragment } from '../importing/note-html.ts';

/** Splits Google's HTML page of activities into records with the same fields as in Google's JSON. */
export function* splitActivityPage(html: string): Generator<ImportFields> {
  for (const cell of html.split(/<div class="outer-cell/).slice(1)) {
    const [, body = ''] =
      /<div class="content-cell[^">]{0,300}">(.*?)(?=<div class="content-cell|$)/s.exec(cell) ?? [];
    const pieces = body.replace(/(?:<\/div>\s*){1,9}$/, '').split(/<br\s{0,9}\/?>/i);
    const texts = pieces.map((piece) => readHtmlFragment(piece).replace(/[\u00a0\u202f]/g, ' '));
    const times = texts.map((text, at) => (at === 0 ? undefined : parseTimeMicros(text)));
    const at = times.findIndex((time) => time !== undefined);
    const end = at < 0 ? pieces.length : at;
    yield {
      header: 'Gemini',
      title: texts.slice(0, end).join('\n'),
      time: times[at],
      safeHtmlItem: [{ html: `<div>${pieces.slice(end + 1).join('<br>')}</div>` }],
    };
  }
}
