import { hasNoExtension, scriptExtension } from '../../../lib/script-language.ts';
import type { UnmaskedFinding } from '../../findings/hide.ts';
import type { ScannedFile } from '../../scans/scanner.ts';
import { createLineIndex } from '../../trees/lines.ts';
import { analyse } from './analyse.ts';
import type { SyntaxParser } from './grammars.ts';
import { type AnalysedLanguage, codeIn, languageOf } from './languages.ts';
import { type SuspectPlaces, suspectsIn } from './prefilter.ts';
import type { UserRules } from './rules/own.ts';
import { createSuspectFunctionTest } from './suspect-functions.ts';
import { isHtmlPage, scriptsOf } from './templates/scripts.ts';

interface Suspect {
  readonly language: AnalysedLanguage;
  readonly suspects: SuspectPlaces;
  readonly code: string;
}

export function prepareSuspectFile({ path, text }: ScannedFile, rules?: UserRules): Suspect | undefined {
  // The first line of a script without a file extension names the language, for example `#!/usr/bin/python`.
  const ending = hasNoExtension(path) ? scriptExtension(text) : undefined;
  const language = languageOf(ending === undefined ? path : `${path}.${ending}`, rules);
  if (!language) return undefined;
  // C and assembly also use the extension `.inc`, so a file without PHP code is skipped.
  if (/\.inc$/i.test(path) && !text.includes('<?')) return undefined;
  const code = codeIn(language, text);
  const suspects = suspectsIn(language.rules, code, language.template !== undefined);
  return suspects && { language, suspects, code };
}

export function prepareSuspectParts(file: ScannedFile, rules?: UserRules): Suspect[] {
  const found = [prepareSuspectFile(file, rules)];
  const scripts = isHtmlPage(file.path) ? scriptsOf(file.text) : '';
  if (scripts) found.push(prepareSuspectFile({ path: 'script.js', text: scripts }, rules));
  return found.filter((one) => one !== undefined);
}

export function searchSourceFile(
  { path, text }: ScannedFile,
  { language, suspects, code }: Suspect,
  parser: SyntaxParser,
  deep: boolean,
): readonly UnmaskedFinding[] {
  const tree = parser.parse(language, code);
  try {
    const program = language.lower(tree.root, code);
    const reached = createSuspectFunctionTest(program, code, language.rules.comments, suspects);
    return analyse(program, language.rules, {
      path,
      lines: createLineIndex(text),
      size: code.length,
      deep,
      template: language.template !== undefined,
      isReached: (fn) => reached(fn) || (language.rules.returns.length > 0 && fn.marks.length > 0),
    });
  } finally {
    tree.free();
  }
}
