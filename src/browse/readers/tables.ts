import type TurndownService from 'turndown';

/** Tables as GitHub's Markdown writes them. (The plugins for it need `rows` of the DOM, which linkedom lacks.) */
export function addTables(turndown: TurndownService): void {
  turndown.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const row = node as unknown as Element;
      const table = row.closest('table');
      if (!table || !isData(table)) return `${content.trim()}\n\n`;
      const first = table.querySelector('tr') === row;
      const cells = row.querySelectorAll('th, td').length;
      return `|${content.trimEnd()}\n${first ? `|${' --- |'.repeat(cells)}\n` : ''}`;
    },
  });
  turndown.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) => {
      const table = (node as unknown as Element).closest('table');
      if (!table || !isData(table)) return `${content.trim()}\n\n`;
      return ` ${content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`;
    },
  });
  turndown.addRule('sections', {
    filter: ['thead', 'tbody', 'tfoot'],
    replacement: (content) => content,
  });
  turndown.addRule('caption', {
    filter: 'caption',
    replacement: (content) => `${content.trim()}\n\n`,
  });
  turndown.addRule('strikethrough', {
    filter: ['del', 's'],
    replacement: (content) => `~~${content}~~`,
  });
}

const judged = new WeakMap<Element, boolean>();

/** Whether a table holds data: one with a table inside, or with one column, is there for the layout. */
function isData(table: Element): boolean {
  let data = judged.get(table);
  if (data === undefined) {
    const columns = table.querySelector('tr')?.querySelectorAll('th, td').length ?? 0;
    data = columns > 1 && table.querySelector('table') === null;
    judged.set(table, data);
  }
  return data;
}
