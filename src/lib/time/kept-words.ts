/** Verbs in a question. A time beside such a verb means when a text was stored (`what did I note last week?`). */
export const STORING_VERBS: ReadonlySet<string> = new Set(
  'note noted notes save saved keep kept store stored write wrote written tell told say said add added notiert gespeichert gesagt geschrieben'.split(
    ' ',
  ),
);
