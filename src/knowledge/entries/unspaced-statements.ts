import WORDS from './statement-words.json' with { type: 'json' };

/** Compares statements in Chinese and Japanese, whose words have no spaces between them. */

const MAX_CHARS = 120;
const SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ENDS = /[。！？!?\n]/u;
const { verbs, change, negations, fillers, single, placed, becomes, changed, endings } = WORDS.unspaced;
const VERB = new RegExp(verbs, 'u');
const PLACE = /^(?:住在|在)$/;
const PLACED = new RegExp(placed, 'u');
const CHANGE = new RegExp(change, 'gu');
const NEGATION = new RegExp(negations, 'u');
const FILLERS = new RegExp(fillers, 'gu');
const BECOMES = new RegExp(becomes, 'u');
/** Matches a new value before words such as `に変わりました`. The value is group 1. */
const CHANGED = new RegExp(changed, 'u');
const ENDINGS = new RegExp(endings, 'u');
const SINGLE = new RegExp(single, 'u');
const REMARK = /[(（].{1,20}?[)）]/u;
const VALUE = /[\p{N}A-Za-z][\p{N}A-Za-z.,:\-_/]{0,40}|[〇一二三四五六七八九十百千]{1,8}/gu;

export interface UnspacedStatement {
  readonly sentence: string;
  readonly subject: string;
  readonly verb: string;
  readonly said: string;
  readonly positive: string;
  readonly isDenied: boolean;
}

export function readUnspacedStatements(text: string): UnspacedStatement[] {
  if (!SCRIPTS.test(text)) return [];
  return text
    .split(ENDS)
    .slice(0, 4)
    .filter((sentence) => SCRIPTS.test(sentence) && sentence.length <= MAX_CHARS)
    .map((sentence) => {
      const plain = withoutChange(sentence.replace(/\s+/g, '').replace(CHANGE, ''));
      const [verb = ''] = VERB.exec(plain) ?? [];
      const at = plain.indexOf(verb);
      const positive = plain
        .replace(/ません$/u, 'ます')
        .replace(/ない$/u, 'る')
        .replace(NEGATION, '')
        .replace(FILLERS, '');
      return {
        sentence: sentence.trim(),
        subject: verb === '' ? '' : plain.slice(0, at),
        verb: /^[:：は]$/.test(verb) ? '是' : verb,
        said: plain.slice(at + verb.length).replace(ENDINGS, ''),
        positive,
        isDenied: NEGATION.test(plain) || /(?:ません|ない)$/u.test(plain),
      };
    });
}

/** Writes a new value as a plain statement: `密码改成了5930` as `密码是5930`, `番号が5930に変わりました` as `番号は5930`. */
function withoutChange(sentence: string): string {
  const [, subject = '', said = ''] = /^([^はが]{1,60})[はが](.{1,60})$/u.exec(sentence) ?? [];
  const [, value] = CHANGED.exec(said) ?? [];
  return value === undefined ? sentence.replace(BECOMES, '是') : `${subject}は${value}`;
}

export function compareUnspaced(before: UnspacedStatement, after: UnspacedStatement): string | undefined {
  if (before.isDenied !== after.isDenied)
    return before.positive === after.positive ? 'the opposite' : undefined;
  if (before.isDenied || before.subject === '' || before.subject !== after.subject) return undefined;
  if (before.verb !== after.verb || before.said === after.said) return undefined;
  if (REMARK.exec(before.said)?.[0] !== REMARK.exec(after.said)?.[0]) return undefined;
  const differs = `${before.said} → ${after.said}`;
  const pattern = (said: string) => said.replace(VALUE, '#');
  if (pattern(before.said) === pattern(after.said)) return differs;
  const [was, is] = [before, after].map(({ said }) => PLACED.exec(said)?.[1] ?? said) as [string, string];
  const isPlaced = PLACE.test(after.verb) || (PLACED.test(before.said) && PLACED.test(after.said));
  const isReplaced = isPlaced || SINGLE.test(after.subject);
  return isReplaced && !was.includes(is) && !is.includes(was) ? `${was} → ${is}` : undefined;
}
