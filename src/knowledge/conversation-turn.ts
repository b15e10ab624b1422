/** Characters before the colon of who speaks: a time and a name. */
const BEFORE = 80;
/** What is said before it is no sentence, and a time's own colon has no space after it. */
const SPOKEN = /^(?:[^.!?\n]|[.!?](?!\s))*?[^\s:]:\**\s/u;

/** Whether a text reads as a turn of a conversation: `Anna: ...`, `[10:15] Anna: ...`, `1:56 pm on 8 May Anna: ...`. */
export function isTurn(text: string): boolean {
  return SPOKEN.test(text.slice(0, BEFORE));
}
