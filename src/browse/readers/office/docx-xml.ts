const NAMESPACE =
  /xmlns:([\w.-]{1,100})="http:\/\/(?:schemas\.openxmlformats|purl\.oclc)\.org\/(?:wordprocessingml\/2006|ooxml\/wordprocessingml)\/main"/g;

/** Renames the prefixes of Word's elements to `w`, the prefix that nearly all programs use. */
export function withUsualPrefix(xml: string): string {
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

/** A text to insert at an index of an XML text. */
export interface Insert {
  readonly at: number;
  readonly text: string;
}

/** Inserts the author of each comment before the comment's text. */
export function withAuthors(xml: string): string {
  const inserts: Insert[] = [];
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

export function insertAll(xml: string, inserts: readonly Insert[]): string {
  let [out, kept] = ['', 0];
  for (const { at, text } of [...inserts].sort((one, other) => one.at - other.at)) {
    out += xml.slice(kept, at) + text;
    kept = at;
  }
  return out + xml.slice(kept);
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
