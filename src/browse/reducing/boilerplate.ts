const SIGNS: readonly RegExp[] = [
  /\b(?:cookies?|newsletter|subscribe|unsubscribe|sign ?up|sign in|log ?in|read more|learn more|click here|continue reading|skip to|follow us|share (?:this|on|via)|privacy policy|terms of (?:use|service)|all rights reserved|copyright|related (?:articles|stories|posts)|advertisement|sponsored|affiliate (?:links?|commission)|earn a commission|leave a comment|join the conversation|download (?:our|the) app|enable javascript|view (?:gallery|comments))\b|©|ⓒ/i,
  /\b(?:Mehr erfahren|Weiterlesen|Jetzt anmelden|Newsletter|Datenschutz|Impressum|Anzeige|Lesen Sie auch|Nutzungsbedingungen|lire la suite|s'abonner|abonnez-vous|mentions légales|leer más|suscríb\w*|política de privacidad|leia mais|inscreva-se|leggi anche|iscriviti)\b/iu,
  /подпис(?:ывайтесь|аться)|читайте также|читать далее|файлы cookie|все права защищены|реклама|订阅|点击|阅读更多|版权所有|相关阅读|登录|続きを読む|会員登録|ログイン|関連記事|無断転載|무단전재|구독|로그인|اشترك|اقرأ أيضا|اقرأ المزيد|جميع الحقوق|ملفات تعريف الارتباط/iu,
  /^(?:photo|image|picture|video|file|credit|source|foto|bild|quelle|фото|图|写真|صورة)(?![\p{L}\p{N}_]).{0,3}[:–—/-]|\((?:photo|image|ap|reuters|getty|afp)\b|\bgetty images\b|\b(?:photo(?:graph)?|image|illustration|screenshot) (?:by|courtesy|credit|via)\b/iu,
  /^(?:[Bb]y|BY|[Vv]on|VON|[Pp]ar|PAR|[Pp]or|POR|[Dd]i|DI|[Оо]т|ОТ)\s{1,5}(?:\p{Lu}[\p{L}.'’-]{0,60}[\s,]{1,5}(?:(?:and|und|et|y)\s{1,5})?){0,7}\p{Lu}[\p{L}.'’-]{0,60}[^.]{0,40}$/u,
  /^(?:published|updated|posted|last (?:updated|modified)|veröffentlicht|aktualisiert|publié|publicado|опубликовано)(?![\p{L}\p{N}_])/iu,
];
const MAX_NOTICE_CHARS = 300;

export function isBoilerplate(text: string): boolean {
  return text.length <= MAX_NOTICE_CHARS && SIGNS.some((sign) => sign.test(text));
}
