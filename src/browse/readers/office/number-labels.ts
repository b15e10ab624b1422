import scripts from './number-scripts.json' with { type: 'json' };

const ROMAN = [
  ...'m1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'.matchAll(/([a-z]{1,2})(\d{1,4})/g),
];

/** Writes a number in a format of Word (ST_NumberFormat) or OpenDocument. Unknown formats give digits. */
export function formatListNumber(number: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'lowerLetter':
    case 'a':
      return letters(number);
    case 'upperLetter':
    case 'A':
      return letters(number).toUpperCase();
    case 'lowerRoman':
    case 'i':
      return roman(number);
    case 'upperRoman':
    case 'I':
      return roman(number).toUpperCase();
    case 'ordinal':
      return `${number}${ordinalEnding(number)}`;
    default:
      return inScript(number, format);
  }
}

type LabelTable = Readonly<Record<string, string>>;
const { sequences, digits, counting, same }: Readonly<Record<keyof typeof scripts, LabelTable>> = scripts;

function inScript(number: number, format: string): string {
  const plain = String(number);
  if (number < 1 || !Number.isInteger(number)) return plain;
  const [first = ''] = format.split(',');
  const named =
    format === first
      ? undefined
      : Object.keys(sequences).find((key) => sequences[key]?.startsWith(`${first} `));
  const kind = named ?? same[format] ?? (first === '一' ? 'chineseCounting' : format);
  const letters = sequences[kind]?.split(' ') ?? [];
  if (letters.length > 0) return letters[number - 1] ?? plain;
  if (counting[kind] !== undefined) return number < 10_000 ? counted(plain, [...counting[kind]]) : plain;
  const own = [...(digits[kind] ?? '')];
  return plain.replace(/\d/g, (digit) => own[Number(digit)] ?? digit);
}

/** Writes 23 as 二十三, for example. `signs` has the signs of 0 to 9, then those of 10, 100 and 1000. */
function counted(number: string, signs: readonly string[]): string {
  return [...number]
    .map((digit, at) => {
      const power = number.length - 1 - at;
      if (digit === '0') return '';
      const isPlainTen = digit === '1' && power === 1 && at === 0;
      return (isPlainTen ? '' : signs[Number(digit)]) + (power > 0 ? (signs[9 + power] ?? '') : '');
    })
    .join('');
}

/** Writes a number as letters, as Word does: `z` for 26, `aa` for 27 and `bb` for 28. */
function letters(number: number): string {
  if (!(number >= 1 && number <= 780)) return String(number);
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function roman(number: number): string {
  if (!(number >= 1 && number <= 3999)) return String(number);
  let [rest, text] = [number, ''];
  for (const [, sign = '', value] of ROMAN) {
    const times = Math.floor(rest / Number(value));
    text += sign.repeat(times);
    rest -= times * Number(value);
  }
  return text;
}

function ordinalEnding(number: number): string {
  if (number % 100 >= 11 && number % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

/** Returns the mark of a Markdown list item: `- `, a number such as `2. `, or another label: `- II. `. */
export function listItemMark(label: string | undefined): string {
  if (label === undefined) return '- ';
  return /^\d{1,9}[.)]$/.test(label) ? `${label} ` : `- ${label} `;
}

/** Removes the final full stop of a heading's number with several parts: `2.1.` becomes `2.1`. */
export function headingLabel(label: string): string {
  return /^(?:\w{1,9}\.){2,10}$/.test(label) ? label.slice(0, -1) : label;
}
