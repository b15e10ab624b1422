/** Characters of a speaker's mark before its colon: a time and a name. */
const SPEAKER_CHARS = 80;
/** No sentence ends before the colon, and the colon of a time has no space after it. */
const SPOKEN = /^(?:[^.!?\n]|[.!?](?!\s))*?[^\s:]:\**\s/u;

/** Whether a text reads as a turn of a conversation: `Anna: ...`, `[10:15] Anna: ...`, `1:56 pm on 8 May Anna: ...`. */
export function isTurn(text: string): boolean {
  return SPOKEN.test(text.slice(0, SPEAKER_CHARS));
}
