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

/** A project that reads nothing but our own files: they are parsed, and not checked. */
const PROJECT = {
  compilerOptions: { noLib: true, noResolve: true, types: [], resolveJsonModule: true, noEmit: true },
  include: ['src', 'tools', 'prompts', 'src/security/scanners/**/*.json'].map((path) => `${ROOT}${path}`),
};

/** What stands in src, tools and prompts, and in the rules of scanners that are JSON, by TypeScript's own parser. */
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
      // Nodes come in the order in which they begin.
      let [line, lineStart] = [1, 0];
      const add = (to: Literal[], node: Node, text: string) => {
        const start = node.getStart(source);
        for (let end = source.text.indexOf('\n', lineStart); end >= 0 && end < start; ) {
          line += 1;
          lineStart = end + 1;
          end = source.text.indexOf('\n', lineStart);
        }
        to.push({ file, line, column: start - lineStart + 1, text });
      };
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
