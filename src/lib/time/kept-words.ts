/** Words after which a time says when something was kept. */
export const KEPT_WORDS: ReadonlySet<string> = new Set(
  'note noted notes save saved keep kept store stored write wrote written tell told say said add added notiert gespeichert gesagt geschrieben'.split(
    ' ',
  ),
);
