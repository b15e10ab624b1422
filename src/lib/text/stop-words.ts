const LISTS: readonly string[] = [
  // Stop words of English
  `a an the and or but if of to in on at by for with from as is are was were be been being am do does did done
   doing have has had having this that these those it its he she they him his her hers their them we you i me my
   your our us not no nor so than then there here what which who whom whose when where why how can could will
   would shall should may might must about into over under out up down off again any all some more most much many
   such own same very just also only too between during before after above below while because until each other
   both few s t don doesn didn isn aren wasn weren ll re ve`,
  // Stop words of German
  `der die das und oder ein eine einer eines einem einen den dem des ist sind war waren wird werden wurde wurden
   hat haben hatte mit von zu im in auf für an bei nach aus über unter als wie was wer wo wann warum wieso welche
   welcher welches welchen nicht auch sich es er sie wir ihr ich kann soll sollen`,
  // Stop words of French
  `le la les un une des de du et ou est sont dans en au aux pour par sur avec que qui quoi ce cette ces il elle ils
   elles nous vous je ne pas plus se son sa ses leur comment pourquoi quand quel quelle quels quelles combien`,
  // Stop words of Spanish
  `el los las una uno unos unas y o es son fue en del al para por con que qué quien quién cual cuál como cómo cuando
   cuándo donde dónde cuánto cuántos se su sus lo no más`,
  // Stop words of Portuguese
  `os as um uma e é são foi em na nos nas da do dos das para por com quem qual quanto quantos onde porque sua seu não
   mais quando como`,
  // Stop words of Italian
  `il gli di che chi cosa come quando dove perché è sono nel nella del della dei degli delle al alla con per su si non
   più ha hanno quanto quanti quante`,
  // Stop words of Dutch
  `het een van in op te dat die voor met zijn niet aan er om ook als bij hoe wat wie waar waarom wanneer wordt`,
  // Stop words of Russian
  `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня
   еще ещё нет о из ему когда даже ну ли если уже или ни быть был него до вас уж вам там потом себя она они тут где
   есть надо ней для мы их чем была сам чтобы без чего раз тоже себе под будет кто этот эта это того потому этого
   какой какая какие каких сколько почему при`,
  // Stop words of Indonesian
  `yang di dan dari ke pada untuk dengan adalah itu ini apa siapa kapan mengapa bagaimana tidak juga akan oleh`,
  // Stop words of Arabic
  `في من على إلى عن أن ما هو هي هذا هذه ذلك التي الذي كان كيف متى أين لماذا كم هل و أو لا`,
];

const ALL: ReadonlySet<string> = new Set(LISTS.flatMap((list) => list.split(/\s+/)));

export function isStopWord(term: string): boolean {
  return ALL.has(term);
}
