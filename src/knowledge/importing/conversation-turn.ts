import type { Passage } from '../types.ts';

const SPEAKER_CHARS = 80;
/** Matches a speaker with colon and space, such as `Anna: `. The colon in `10:15` has no space after it. */
const SPOKEN = /^(?:[^.!?\n]|[.!?](?!\s))*?[^\s:]:\**\s/u;

/** Returns true for a text such as `Anna: ...`, `[10:15] Anna: ...` or `1:56 pm on 8 May Anna: ...`. */
export const isConversationTurn = (text: string): boolean => SPOKEN.test(text.slice(0, SPEAKER_CHARS));

const TIME = /\[[^\]]*\]|^\W*\d(?:.*\d)?(?:\s*[ap]m\b)?/giu;
const NAME_WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;
const POSSESSIVE = /['’]s?$/u;
const NAMED_PART = 0.5;

function speakerOf(text: string): string {
  const [mark = ''] = SPOKEN.exec(text.slice(0, SPEAKER_CHARS)) ?? [];
  return mark.replace(TIME, '').replaceAll(/[*:]/g, ' ').trim();
}

function wordsOf(text: string): string[] {
  return (text.normalize('NFC').match(NAME_WORD) ?? []).map((word) => word.replace(POSSESSIVE, ''));
}

/** Returns the indexes of turns whose speaker is named in the question. "Anna" also names "Anna Berg". */
export function findTurnsOfNamedSpeakers(question: string, texts: readonly string[]): Set<number> {
  const said = new Set(wordsOf(question));
  const any = new Set([...said].map((word) => word.toLowerCase()));
  const shares = new Map<string, number>([['', 0]]);
  const shareOf = (name: string): number => {
    const words = wordsOf(name);
    if (words.length === 0) return 0;
    if (words.every((word) => any.has(word.toLowerCase()))) return 1;
    return words.filter((word) => /^\p{Lu}/u.test(word) && said.has(word)).length / words.length;
  };
  const speakers = texts.map(speakerOf);
  for (const name of speakers) if (!shares.has(name)) shares.set(name, shareOf(name));
  const most = [...shares.values()].reduce((one, other) => Math.max(one, other), NAMED_PART);
  return new Set(speakers.flatMap((name, at) => (shares.get(name) === most ? [at] : [])));
}

/** Matches the time before a speaker, such as `[10:15] Anna: ` and `1:56 pm on 8 May Anna: `. */
const TIMED_TURN = /^\W{0,3}\[|^\W{0,3}\d/u;

/** Returns what a speaker says in a passage of turns, or ''. The passage's title names who spoke before, as in `Talk › [10:15] Anna`. */
export function wordsOfSpeaker({ title, text }: Passage, speaker: string): string {
  const asked = wordsOf(speaker.toLowerCase());
  const isAsked = (name: string) => {
    const words = new Set(wordsOf(name.toLowerCase()));
    return asked.length > 0 && asked.every((word) => words.has(word));
  };
  const lines = text.split('\n').map((line) => ({ line, name: speakerOf(line) }));
  // In a talk whose turns have times, a line such as `Note: bring a rope` goes on with a turn.
  const isTimed = lines.some(({ line, name }) => name !== '' && TIMED_TURN.test(line));
  const at = title.lastIndexOf(' › ');
  let isTheirs = at >= 0 && isAsked(speakerOf(`${title.slice(at + 3)}: `));
  const said = lines.filter(({ line, name }, index) => {
    const isTurn = !isTimed || TIMED_TURN.test(line) || lines[index - 1]?.line.trim() === '';
    if (name !== '' && isTurn) isTheirs = isAsked(name);
    return isTheirs;
  });
  return said
    .map(({ line }) => line)
    .join('\n')
    .trim();
}
