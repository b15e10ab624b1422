import WORDS from './statement-words.json' with { type: 'json' };

/** Compares statements in Chinese and Japanese, whose words have no spaces between them. */

const MAX_CHARS = 120;
const SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ENDS = /[。！？!?\n]/u;
const { verbs, change, negations, fillers, single, placed, becomes, changed, endings, uses } = WORDS.unspaced;
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
/** Matches what may be used beside other things, such as `PostgreSQL`, where `PostgreSQL数据库` has a category. */
const USES = new RegExp(uses, 'u');
/** Words with an opposite: what they are written as, the words of the same meaning, and the opposites. */
const OPPOSITES = WORDS.unspaced.opposites.map(
  ([plain = '', same = '', other = '']) => [plain, new RegExp(same, 'gu'), new RegExp(other, 'gu')] as const,
);
/** Match sentences that name the old value beside the new one. */
const REPLACED = WORDS.replaced.unspaced.map((pattern) => new RegExp(pattern, 'u'));
const SUBJECT_END = /(?:已经?)?(?:[迁遷]移|更新|[变變]更)?[、，,：:はがも]{0,2}$/u;
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
  readonly replaced?: { readonly gone: string; readonly come: string };
}

export function readUnspacedStatements(text: string): UnspacedStatement[] {
  if (!SCRIPTS.test(text)) return [];
  return text
    .split(ENDS)
    .slice(0, 4)
    .filter((sentence) => SCRIPTS.test(sentence) && sentence.length <= MAX_CHARS)
    .map((sentence) => {
      const current = sentence.replace(/\s+/g, '').replace(CHANGE, '');
      const [plain, replaced] = [withoutChange(current), readReplaced(current)];
      const [verb = ''] = VERB.exec(plain) ?? [];
      const at = plain.indexOf(verb);
      const opposites = OPPOSITES.flatMap(([, , other]) => plain.match(other) ?? []).length;
      const said = OPPOSITES.reduce(
        (text, [one, same, other]) => text.replace(other, one).replace(same, one),
        plain,
      );
      const positive = said
        .replace(/(?:では|じゃ)(?:ありません|ない)(?:です)?$/u, '')
        .replace(/ません$/u, 'ます')
        .replace(/ない$/u, 'る')
        .replace(NEGATION, '')
        .replace(FILLERS, '');
      return {
        sentence: sentence.trim(),
        subject: replaced?.subject ?? (verb === '' ? '' : plain.slice(0, at)),
        verb: /^[:：は]$/.test(verb) ? '是' : verb.replace(/^(?:使用|采用|採用)$/u, '用'),
        said: plain.slice(at + verb.length).replace(ENDINGS, ''),
        positive,
        isDenied: NEGATION.test(plain) !== (opposites % 2 === 1),
        ...(replaced && { replaced }),
      };
    });
}

function readReplaced(sentence: string) {
  for (const pattern of REPLACED) {
    const { groups, index = 0 } = pattern.exec(sentence) ?? {};
    const { gone, come } = groups ?? {};
    if (gone && come) return { gone, come, subject: sentence.slice(0, index).replace(SUBJECT_END, '') };
  }
  return undefined;
}

/** Writes a new value as a plain statement: `密码改成了5930` as `密码是5930`, `番号が5930に変わりました` as `番号は5930`. */
function withoutChange(sentence: string): string {
  const [, subject = '', said = ''] = /^([^はが]{1,60})[はが](.{1,60})$/u.exec(sentence) ?? [];
  const [, value] = CHANGED.exec(said) ?? [];
  return value === undefined ? sentence.replace(BECOMES, '是') : `${subject}は${value}`;
}

export function compareUnspaced(before: UnspacedStatement, after: UnspacedStatement): string | undefined {
  const { gone = '', come = '' } = after.replaced ?? {};
  const isReplaced = gone !== '' && before.said.includes(gone) && before.subject === after.subject;
  if (isReplaced && !before.isDenied) return before.said.includes(come) ? undefined : `${gone} → ${come}`;
  if (gone !== '' && after.verb !== '是') return undefined;
  if (before.isDenied !== after.isDenied)
    return before.positive === after.positive ? 'the opposite' : undefined;
  if (before.isDenied || before.subject === '' || before.subject !== after.subject) return undefined;
  return differingSayings(before, after);
}

function differingSayings(before: UnspacedStatement, after: UnspacedStatement): string | undefined {
  if (before.verb !== after.verb || before.said === after.said) return undefined;
  if (REMARK.exec(before.said)?.[0] !== REMARK.exec(after.said)?.[0]) return undefined;
  const differs = `${before.said} → ${after.said}`;
  const pattern = (said: string) => said.replace(VALUE, '#');
  if (USES.test(pattern(before.said)) && (after.verb === '用' || after.said.includes('を'))) return undefined;
  if (pattern(before.said) === pattern(after.said)) return differs;
  const [was, is] = [before, after].map(({ said }) => PLACED.exec(said)?.[1] ?? said) as [string, string];
  const isPlaced = PLACE.test(after.verb) || (PLACED.test(before.said) && PLACED.test(after.said));
  const isReplaced = isPlaced || SINGLE.test(after.subject);
  return isReplaced && !was.includes(is) && !is.includes(was) ? `${was} → ${is}` : undefined;
}
