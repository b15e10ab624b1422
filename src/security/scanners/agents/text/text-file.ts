import { createLineIndex } from '../../../trees/lines.ts';
import type { ReportSkipped } from '../../infrastructure/yaml-tree.ts';
import { findCredentialHarvest, findHarmfulBehaviour, maliceMatches } from '../code/behaviours.ts';
import { splitCodeAndStrings } from '../code/code-and-strings.ts';
import type { AgentMatch } from '../rules.ts';
import { encodedMatches } from './encoded.ts';
import { hiddenCharacterMatches } from './hidden-characters.ts';
import { findHarmfulProse, MAX_JUDGED_CHARACTERS, OVER_JUDGED } from './prose.ts';

const COMMENT = /<!--((?:(?!<!--)[\s\S]){1,20000}?)-->/g;
const UNSHOWN =
  /<(?:div|span|p|font|section|details)\b[^>\n]{0,200}(?:display:\s{0,3}none|visibility:\s{0,3}hidden|font-size:\s{0,3}0|opacity:\s{0,3}0[;"']|color:\s{0,3}(?:white|transparent|#fff(?:fff)?)\b|\shidden\b)[^>\n]{0,200}>([^<]{1,20000})<|^\[(?:\/\/|comment)\]:\s{0,3}(?:#|<>)\s{0,3}([^\n]{1,2000})$/gim;
const BLOCK = /^([ \t]{0,8})(```|~~~)([^\n]{0,100})\n([\s\S]{0,60000}?)^[ \t]{0,8}\2/gm;
const LANGUAGES = [
  [/^py(?:thon3?)?$/i, 'py'],
  [/^(?:js|javascript|node|ts|typescript)$/i, 'js'],
  [/^(?:(?:ba|z)?sh|shell)$/i, 'sh'],
  [/^(?:ps1|powershell)$/i, 'ps1'],
] as const;
const TEXT_BLOCK = /^\s{0,3}(?:markdown|md|text|txt|plaintext|prompt|xml)?\s{0,3}$/i;
const WARNING =
  /\b(?:bad|wrong|vulnerab\w{2,6}|insecure|malicious|exploits?|attack\w{0,4}|injection|red flags?|anti-?patterns?|suspicious|(?:never|don['’]t|avoid) (?:do|use|write|run|store|this))\b|❌|✗|⚠/i;
const MAX_INTRODUCTION = 300;
const MIN_STRING_CHARACTERS = 60;
const FRONT_MATTER = /^---\r?\n([\s\S]{0,20000}?)\r?\n---/;
const WIDE_TOOLS =
  /^(?:allowed-tools|tools)\s{0,3}:[^\n]{0,300}?(?:\bBash(?:\(\s{0,2}(?:\*|:\*)\s{0,2}\))?(?![(\w])|["'\s[]\*(?=["'\],\s]|$))/m;

export function textFileMatches(whole: string, leave?: ReportSkipped): AgentMatch[] {
  const text = whole.slice(0, MAX_JUDGED_CHARACTERS);
  if (text.length < whole.length) leave?.(OVER_JUDGED);
  const lines = createLineIndex(text);
  const found: AgentMatch[] = [...hiddenCharacterMatches(whole), ...encodedMatches(whole)];
  const blanked = (from: string) => from.replace(/[^\n]/g, ' ');
  const readHidden = (all: string, inner: string, offset: number) => {
    found.push(...findHarmfulProse(inner, 'hidden', lines.lineAt(offset)));
    return blanked(all);
  };
  const prose = text
    .replace(COMMENT, readHidden)
    .replace(UNSHOWN, (all, element: string = '', comment: string = '', offset = 0) =>
      readHidden(all, element + comment, offset),
    )
    .replace(BLOCK, (all, _indent, _mark, language: string, body: string, offset: number) => {
      const start = lines.lineAt(offset) + 1;
      found.push(...findHarmfulBehaviour(body, 'block', start));
      found.push(
        ...blockMatches(text.slice(Math.max(0, offset - MAX_INTRODUCTION), offset), language, body, start),
      );
      return blanked(all);
    });
  found.push(
    ...findHarmfulProse(prose, 'text'),
    ...findHarmfulBehaviour(prose, 'block'),
    ...findCredentialHarvest(prose),
  );
  const [front = ''] = FRONT_MATTER.exec(text) ?? [];
  const wide = WIDE_TOOLS.exec(front);
  if (wide) found.push({ rule: 'wide-tools', line: lines.lineAt(wide.index), what: wide[0] });
  return found;
}

function blockMatches(before: string, language: string, body: string, start: number): AgentMatch[] {
  if (WARNING.test(before.trimEnd().split('\n').slice(-2).join(' '))) return [];
  if (TEXT_BLOCK.test(language))
    return [...findHarmfulProse(body, 'text', start), ...findCredentialHarvest(body, start)];
  const [, ending] = LANGUAGES.find(([name]) => name.test(language.trim())) ?? [];
  if (ending === undefined) return [];
  const path = `block.${ending}`;
  const { code, strings } = splitCodeAndStrings(path, body);
  const lines = createLineIndex(body);
  return [
    // Omits `reverse-shell`, because `textFileMatches` already applies this rule to each block.
    ...maliceMatches(path, body, start).filter(({ rule }) => rule !== 'reverse-shell'),
    ...findCredentialHarvest(code, start),
    ...strings
      .filter(({ text }) => text.length >= MIN_STRING_CHARACTERS)
      .flatMap(({ text, start: at }) => findHarmfulProse(text, 'text', start + lines.lineAt(at) - 1)),
  ];
}
