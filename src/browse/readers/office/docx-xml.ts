const NAMESPACE =
  /xmlns:([\w.-]{1,100})="http:\/\/(?:schemas\.openxmlformats|purl\.oclc)\.org\/(?:wordprocessingml\/2006|ooxml\/wordprocessingml)\/main"/g;

export function normalizeXmlPrefix(xml: string): string {
  const prefixes = new Set([...xml.matchAll(NAMESPACE)].map(([, prefix = '']) => prefix));
  const declared = prefixes.delete('w');
  const [first] = prefixes;
  if (first === undefined) return xml;
  return xml.replace(/<[^<>]*>/g, (tag) => {
    const renamed = tag.replace(/(^<\/?| )([\w.-]{1,100}):/g, (all, before: string, prefix: string) =>
      prefixes.has(prefix) ? `${before}w:` : all,
    );
    return declared ? renamed : renamed.replace(`xmlns:${first}=`, 'xmlns:w=');
  });
}

export interface XmlInsert {
  readonly at: number;
  readonly text: string;
}

export function withCommentAuthors(xml: string): string {
  const inserts: XmlInsert[] = [];
  let author: string | undefined;
  for (const { 0: tag, index } of xml.matchAll(/<w:comment [^<>]*>|<w:r[ >]/g)) {
    if (tag.startsWith('<w:comment')) author = / w:author="([^"]*)"/.exec(tag)?.[1] ?? '';
    else if (author !== undefined) {
      const text = `Comment${author && ` by ${author}`}: `;
      inserts.push({ at: index, text: `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>` });
      author = undefined;
    }
  }
  return insertAll(xml, inserts);
}

export function insertAll(xml: string, inserts: readonly XmlInsert[]): string {
  let [out, kept] = ['', 0];
  for (const { at, text } of [...inserts].sort((one, other) => one.at - other.at)) {
    out += xml.slice(kept, at) + text;
    kept = at;
  }
  return out + xml.slice(kept);
}

export function escapeXmlText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Elements around text (fields, text direction, ruby) that Mammoth would skip together with the text. */
const AROUND_RUNS = /<\/?w:(?:fldSimple|dir|bdo|ruby|rubyBase)(?: [^<>]*)?>/g;

const CHOICES = /<w:ddList>([\s\S]{0,20000}?)<\/w:ddList>[\s\S]{0,2000}?<\/w:r>/g;

const SHIFTED = /<w:gridBefore w:val="(\d{1,2})">[\s\S]{0,300}?<\/w:trPr>/g;

/**
 * Removes elements around text that Mammoth would skip. Writes ruby text in brackets after the word,
 * and replaces rare elements for line breaks, tabs and lines through text by the usual elements.
 */
export function unwrapDocxElements(xml: string): string {
  let [out, kept] = ['', 0];
  for (let at = xml.indexOf('<w:ruby>'); at >= 0; at = xml.indexOf('<w:ruby>', kept)) {
    const [begin, end] = [xml.indexOf('<w:rubyBase>', at), xml.indexOf('</w:ruby>', at)];
    if (begin < 0 || end < begin) break;
    const reading = [...xml.slice(at, begin).matchAll(/<w:t(?: [^<>]*)?>([^<>]*)<\/w:t>/g)]
      .map(([, text]) => text)
      .join('');
    out += xml.slice(kept, at) + xml.slice(begin, end) + (reading && `<w:r><w:t>(${reading})</w:t></w:r>`);
    kept = end;
  }
  return (out + xml.slice(kept))
    .replace(AROUND_RUNS, '')
    .replace(CHOICES, (run, list: string) => `${run}<w:r><w:t>${chosenEntry(list)}</w:t></w:r>`)
    .replace(SHIFTED, (row, count: string) => row + '<w:tc><w:p></w:p></w:tc>'.repeat(Number(count)))
    .replace(/<(\/?)w:dstrike(?=[ >])/g, '<$1w:strike')
    .replace(/<(\/?)w:cr(?=[ >])/g, '<$1w:br')
    .replace(/<(\/?)w:ptab(?=[ >])/g, '<$1w:tab');
}

/** Returns the chosen entry of a drop-down list. Without a choice, the first entry is chosen. */
function chosenEntry(list: string): string {
  const [, at = '0'] = /<w:(?:result|default) w:val="(\d{1,4})">/.exec(list) ?? [];
  return [...list.matchAll(/<w:listEntry w:val="([^"]{0,1000})">/g)][Number(at)]?.[1] ?? '';
}
