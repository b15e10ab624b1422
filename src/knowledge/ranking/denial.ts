import { detectNonEnglish } from '../../lib/language/detect-language.ts';

const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');

/** Beginnings of questions that ask for a person or a place, such as `who`, `mit wem` or `où`. */
const ASKS_WHO_OR_WHERE = new RegExp(
  `^[^\\p{L}]{0,3}(?:(?:bei|von|mit|chez|avec|à|con|com|da|a|met|bij|у|с|u|z|hos|med) )?(?:${[
    'who|whom|whose|where',
    'wer|wem|wen|wessen|wo',
    'qui|où|quién|quien|quiénes|dónde|donde|chi|dove|dov|quem|onde|cine|unde',
    'wie (?:heeft|is|was|had|bewaart)|waar|hvem|hvor|vem|var|kuka|kenellä|missä',
    "кто|кого|где|kto|kogo|gdzie|kdo|kde|ki(?!['’])|kinél|hol|kim(?!['’])|kimde|nerede|siapa|ποιος|πού",
  ].join('|')})(?!\\p{L})`,
  'iu',
);
/** Question words of other languages that are names or words in English, such as `Kim` and `var`. */
const NAMES = /^\P{L}{0,3}(?:kim?|var)(?!\p{L})/iu;
const NEGATION = word(
  [
    "not|never|no longer|nobody|no one|any ?more|cannot|\\p{L}{1,12}n['’]t",
    'nicht|nie|niemals|niemand|nirgends|kein|keine|keinen|keinem|keiner',
    "(?:ne |n['’])(?:\\p{L}{1,20} ){1,3}(?:pas|plus|jamais|rien|personne|aucune?)|jamais|personne",
    'ya no|no (?:tiene|está|es|son|están|hay|tengo|tienen|come|vive|lo|la|se)|nunca|nadie|non(?![-‑])|nessuno|não|ninguém',
    'nu (?:mai|e|este|are|au|sunt)|niciodată|nimeni|niet|nooit|nergens|geen|ikke|aldrig|ingen|inte|ei (?:ole|enää)|eivät',
    'не|нет|никогда|никто|нигде|nigdy|nikt|není|nemá|nikdo|nem|nincs|soha|senki|değil|yok|hiç|tidak|bukan|δεν|ποτέ',
  ].join('|'),
);
const CLAUSES = /[.;:!?,\n。、，；]|(?<!\p{L})(?:but|sondern|aber|mais|pero|sino|maar)(?!\p{L})/iu;
/** Maximum length of a denial. Longer texts usually contain further statements. */
const MAX_CHARS = 300;

export function asksWhoOrWhere(question: string): boolean {
  const isName = NAMES.test(question) && !/[?？]$|(?![a-z])\p{L}/iu.test(question.trim());
  if (isName && detectNonEnglish(question) === 'none') return false;
  return ASKS_WHO_OR_WHERE.test(question) && !NEGATION.test(question);
}

/** Short questions for a thing, such as `what does Ana eat`. A text that denies something is a worse answer. */
const ASKS_WHAT =
  /^\P{L}{0,3}(?:what|was|qu['’]est-ce|que|quoi|qué|cosa|che|o que|wat|co|что)(?: [^\s]{1,30}){1,7}$/iu;

export function asksWhat(question: string): boolean {
  return ASKS_WHAT.test(question.trim()) && !NEGATION.test(question);
}

export function isDenial(text: string): boolean {
  if (text.length > MAX_CHARS) return false;
  const clauses = text.split(CLAUSES).filter((clause) => /\p{L}/u.test(clause));
  return clauses.length > 0 && clauses.every((clause) => NEGATION.test(clause));
}
