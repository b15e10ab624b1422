import { Parser } from 'htmlparser2';

export function htmlToText(html: string): string {
  let text = '';
  const parser = new Parser({ ontext: (part) => (text += part) });
  parser.end(html);
  return text;
}

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const HTML_ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z0-9]{1,30};/gi;

/** Decodes HTML entities such as `&nbsp;`, which XML does not define, except in CDATA sections. */
export function decodeHtmlEntities(xml: string): string {
  const decoded = new Map<string, string>();
  const decode = (entity: string) => {
    const known = decoded.get(entity) ?? escapeMarkup(htmlToText(entity));
    decoded.set(entity, known);
    return known;
  };
  const parts: string[] = [];
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf(CDATA, at);
    const end = start < 0 ? -1 : xml.indexOf(CDATA_END, start);
    const until = start < 0 ? xml.length : start;
    const next = end < 0 ? xml.length : end;
    parts.push(xml.slice(at, until).replace(HTML_ENTITY, decode), xml.slice(until, next));
    at = Math.max(next, until);
  }
  return parts.join('');
}

function escapeMarkup(text: string): string {
  return /^&\w+;$/.test(text)
    ? text
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
