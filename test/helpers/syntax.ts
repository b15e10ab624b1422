import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A regular expression or a text as it stands in the source; lines and columns count from 1. */
export interface Literal {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface Literals {
  /** With their slashes and flags. */
  readonly expressions: readonly Literal[];
  /** Every `new RegExp(…)`, with its code. */
  readonly constructed: readonly Literal[];
  /** Texts of the code; of a template the pieces, joined by `0` in the place of what is put in. */
  readonly texts: readonly Literal[];
}

type Node = Parameters<typeof isStringLiteral>[0];

const FOLDERS = ['src', 'tools', 'prompts'];

/** A project of these folders and the data in them alone: no package that they import is parsed. */
const PROJECT = {
  compilerOptions: { noLib: true, noResolve: true, types: [], resolveJsonModule: true, noEmit: true },
  include: FOLDERS.flatMap((name) => [`${ROOT}${name}`, `${ROOT}${name}/**/*.json`]),
  exclude: [`${ROOT}src/knowledge/embedders/**/*.json`],
};

/** What stands in src, tools and prompts, by TypeScript's own parser. Takes about a second. */
export function readLiterals(): Literals {
  const found = { expressions: [] as Literal[], constructed: [] as Literal[], texts: [] as Literal[] };
  const folder = mkdtempSync(join(tmpdir(), 'magpie-syntax-'));
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(PROJECT));
  const api = new API({ cwd: ROOT });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    for (const path of project?.program.getSourceFileNames() ?? []) {
      const file = path.startsWith(ROOT) ? path.slice(ROOT.length) : '';
      if (!/^(?:src|tools|prompts)\//.test(file)) continue;
      const source = project?.program.getSourceFile(path);
      if (!source) continue;
      const place = placesOf(source.text);
      const add = (to: Literal[], node: Node, text: string) =>
        to.push({ file, ...place(node.getStart(source)), text });
      const visit = (node: Node): void => {
        if (isRegularExpressionLiteral(node)) add(found.expressions, node, node.text);
        else if (isNewExpression(node) && node.expression.getText(source) === 'RegExp')
          add(found.constructed, node, node.getText(source));
        else if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node))
          add(found.texts, node, node.text);
        else if (isTemplateExpression(node))
          add(
            found.texts,
            node,
            [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('0'),
          );
        node.forEachChild(visit);
      };
      visit(source);
    }
    return found;
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

/** Finds the line and column of a place in a text. */
function placesOf(text: string): (at: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: high, column: at - (starts[low] ?? 0) + 1 };
  };
}
