const ROMAN = [
  ...'m1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1'.matchAll(/([a-z]{1,2})(\d{1,4})/g),
];

/** Writes a number in a format of Word (ST_NumberFormat) or OpenDocument. Uses digits for formats of other scripts. */
export function formatNumber(number: number, format: string): string {
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
      return String(number);
  }
}

/** Word continues after z with repeated letters: aa, bb. */
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

/** Returns the beginning of a Markdown list item. Markdown knows `2.` and `2)`; any other number follows a bullet. */
export function itemMark(label: string | undefined): string {
  if (label === undefined) return '- ';
  return /^\d{1,9}[.)]$/.test(label) ? `${label} ` : `- ${label} `;
}

/** Returns a heading's number without the full stop at its end if the number has several parts: `2.1` for `2.1.`. */
export function headingLabel(label: string): string {
  return /^(?:\w{1,9}\.){2,10}$/.test(label) ? label.slice(0, -1) : label;
}
