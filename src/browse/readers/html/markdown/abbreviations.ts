import { type HtmlElement, HtmlText } from '../parsing/node.ts';

const MAX_SHORT_CHARS = 20;
const MAX_MEANING_CHARS = 80;
const MAX_MEANINGS = 500;

export function explainAbbreviations(root: HtmlElement): void {
  const explained = new Set<string>();
  for (const tag of ['abbr', 'acronym']) {
    for (const element of root.getElementsByTagName(tag)) {
      const meaning = (element.attributes.title ?? '')
        .slice(0, MAX_MEANING_CHARS + 1)
        .replace(/\s+/g, ' ')
        .trim();
      const short = element.firstChild === element.lastChild ? element.textContent.trim() : '';
      const key = `${short} ${meaning}`;
      if (!explains(short, meaning) || explained.has(key) || explained.size >= MAX_MEANINGS) continue;
      explained.add(key);
      if (!isExplained(element, meaning)) element.appendChild(new HtmlText(` (${meaning})`));
    }
  }
}

function explains(short: string, meaning: string): boolean {
  if (short === '' || short.length > MAX_SHORT_CHARS || meaning.length > MAX_MEANING_CHARS) return false;
  return (
    meaning.length > short.length && /^\p{L}/u.test(meaning) && !/[\d/@:]/.test(meaning) && !/\d/.test(short)
  );
}

function isExplained({ previousSibling: before, nextSibling: after }: HtmlElement, meaning: string): boolean {
  const beside = [
    before?.nodeType === 3 ? before.data.slice(-200) : '',
    after?.nodeType === 3 ? after.data.slice(0, 200) : '',
  ];
  const words = meaning.toLowerCase();
  return beside.some((text) => text.toLowerCase().replace(/\s+/g, ' ').includes(words));
}
