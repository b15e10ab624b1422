/** A text of about 200 bytes in the encodings in which texts of its language were written before UTF-8. */
export interface LanguageText {
  readonly language: string;
  readonly encodings: readonly string[];
  readonly text: string;
}

export const LANGUAGE_TEXTS: readonly LanguageText[] = [
  {
    language: 'cs',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Dílna na nábřeží opravuje lodě od té doby, co byl postaven most. Každý týden v roce tam pracují tři lidé s nářadím, které jim zanechali jejich učitelé. Příště přijdou v úterý večer.',
  },
  {
    language: 'pl',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Warsztat na nabrzeżu naprawia łodzie, odkąd zbudowano most. Trzy osoby pracują tam przez cały rok narzędziami, które zostawili im nauczyciele. Następnym razem przyjdą we wtorek wieczorem, jeśli będzie ciepło.',
  },
  {
    language: 'hu',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'A rakparti műhely azóta javítja a csónakokat, hogy a híd megépült. Három ember dolgozik ott az év minden hetében, azokkal a szerszámokkal, amelyeket tanítóik hagytak rájuk. Kedden este újra eljönnek, hogyha jó idő lesz.',
  },
  {
    language: 'sk',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Dielňa na nábreží opravuje člny od čias, keď postavili most. Každý týždeň v roku tam pracujú traja ľudia s náradím, ktoré im zanechali ich učitelia. Nabudúce prídu v utorok večer.',
  },
  {
    language: 'hr',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Radionica na obali popravlja čamce otkako je izgrađen most. Troje ljudi još uvijek radi tamo svaki tjedan u godini alatom koji su im ostavili učitelji. Sljedeći put doći će u utorak navečer, ako bude toplo, i još će učiti djecu.',
  },
  {
    language: 'sl',
    encodings: ['windows-1250', 'iso-8859-2'],
    text: 'Delavnica na nabrežju popravlja čolne, odkar so zgradili most. Trije ljudje še vedno delajo tam vsak teden v letu z orodjem, ki so jim ga zapustili učitelji. Naslednjič pridejo v torek zvečer, če bo toplo.',
  },
  {
    language: 'ru',
    encodings: ['windows-1251', 'koi8-r'],
    text: 'Мастерская на набережной чинит лодки с тех пор, как построили мост. Три человека работают там каждую неделю года инструментами, которые оставили им учителя. В следующий раз придут во вторник.',
  },
  {
    language: 'uk',
    encodings: ['windows-1251'],
    text: 'Майстерня на набережній лагодить човни відтоді, як збудували міст. Троє людей працюють там щотижня інструментами, які їм залишили вчителі. Наступного разу прийдуть у вівторок, якщо буде тепло.',
  },
  {
    language: 'bg',
    encodings: ['windows-1251'],
    text: 'Работилницата на кея поправя лодки, откакто е построен мостът. Трима души все още работят там всяка седмица с инструменти, които са им оставили техните учители. Ще дойдат във вторник вечерта.',
  },
  {
    language: 'sr',
    encodings: ['windows-1251'],
    text: 'Радионица на кеју поправља чамце откад је изграђен мост. Троје људи и даље ради тамо сваке недеље у години алатом који су им оставили учитељи. Следећи пут долазе у уторак увече.',
  },
  {
    language: 'de',
    encodings: ['windows-1252'],
    text: 'Die Werkstatt am Kai repariert Boote, seit die Brücke gebaut wurde. Drei Leute arbeiten noch jede Woche dort, mit Werkzeugen, die ihnen ihre Lehrer hinterließen. Nächsten Dienstag öffnet sie früher, die Schlüssel hängen an der Tür.',
  },
  {
    language: 'fr',
    encodings: ['windows-1252'],
    text: 'L’atelier du quai répare des bateaux depuis que le pont a été construit. Trois personnes y travaillent encore chaque semaine de l’année, avec les outils que leurs maîtres leur ont laissés. Le café est à côté.',
  },
  {
    language: 'es',
    encodings: ['windows-1252'],
    text: 'El taller del muelle repara barcos desde que se construyó el puente. Tres personas todavía trabajan allí cada semana del año, con herramientas que sus maestros les dejaron. ¿Vendrán mañana? El niño también quiere aprender.',
  },
  {
    language: 'it',
    encodings: ['windows-1252'],
    text: 'L’officina sul molo ripara barche da quando è stato costruito il ponte. Tre persone ci lavorano ancora ogni settimana dell’anno, con gli attrezzi lasciati dai loro maestri. Perché non vieni martedì? È più tranquillo.',
  },
  {
    language: 'pt',
    encodings: ['windows-1252'],
    text: 'A oficina do cais conserta barcos desde que a ponte foi construída. Três pessoas ainda trabalham lá todas as semanas do ano, com ferramentas que os mestres lhes deixaram. Amanhã à noite não há ninguém, só na terça.',
  },
  {
    language: 'sv',
    encodings: ['windows-1252'],
    text: 'Verkstaden på kajen har lagat båtar sedan bron byggdes. Tre personer arbetar fortfarande där varje vecka på året, med verktyg som deras lärare lämnade. Nästa gång kommer de på tisdag kväll om det är varmt.',
  },
  {
    language: 'da',
    encodings: ['windows-1252'],
    text: 'Værkstedet på kajen har lappet både, siden broen blev bygget. Tre mennesker arbejder der stadig hver uge året rundt med værktøj, som deres lærere efterlod. Båden er færdig på tirsdag, og Søren får nøglen.',
  },
  {
    language: 'nb',
    encodings: ['windows-1252'],
    text: 'Verkstedet på kaien har reparert båter siden broen ble bygget. Tre mennesker arbeider der fortsatt hver uke i året, med verktøy som lærerne deres lot etter seg. Båten er ferdig på tirsdag, og nøkkelen henger på døren.',
  },
  {
    language: 'fi',
    encodings: ['windows-1252'],
    text: 'Laiturin verstas on korjannut veneitä siitä asti, kun silta rakennettiin. Kolme ihmistä työskentelee siellä yhä joka viikko työkaluilla, jotka heidän opettajansa jättivät. Ensi kerralla tullaan tiistaina illalla.',
  },
  {
    language: 'nl',
    encodings: ['windows-1252'],
    text: 'De werkplaats aan de kade repareert boten sinds de brug is gebouwd. Drie mensen werken er nog elke week van het jaar met gereedschap dat hun leraren achterlieten. Eén van hen heeft in België geleerd; het café ernaast is geïsoleerd.',
  },
  {
    language: 'is',
    encodings: ['windows-1252'],
    text: 'Verkstæðið á bryggjunni hefur gert við báta síðan brúin var byggð. Þrír menn vinna þar enn í hverri viku ársins með verkfæri sem kennarar þeirra skildu eftir. Næst koma þeir á þriðjudag.',
  },
  {
    language: 'el',
    encodings: ['windows-1253'],
    text: 'Το εργαστήριο στην προκυμαία επισκευάζει βάρκες από τότε που χτίστηκε η γέφυρα. Τρεις άνθρωποι εργάζονται ακόμη εκεί κάθε εβδομάδα με εργαλεία που τους άφησαν οι δάσκαλοί τους. Άνοιξε την πόρτα.',
  },
  {
    language: 'tr',
    encodings: ['windows-1254'],
    text: 'Rıhtımdaki atölye, köprü yapıldığından beri tekneleri onarıyor. Üç kişi hâlâ yılın her haftası orada, ustalarının bıraktığı aletlerle çalışıyor. Salı akşamı hava ıslak değilse yine gelecekler; çocuklar da öğreniyor.',
  },
  {
    language: 'he',
    encodings: ['windows-1255'],
    text: 'בית המלאכה ברציף מתקן סירות מאז שנבנה הגשר. שלושה אנשים עדיין עובדים שם בכל שבוע בשנה, בכלים שהשאירו להם המורים שלהם. בפעם הבאה הם יבואו ביום שלישי בערב אם יהיה חם.',
  },
  {
    language: 'ar',
    encodings: ['windows-1256'],
    text: 'الورشة على الرصيف تصلح القوارب منذ بناء الجسر. لا يزال ثلاثة أشخاص يعملون هناك كل أسبوع من السنة بالأدوات التي تركها لهم معلموهم. سيأتون مساء الثلاثاء إذا كان الجو دافئا.',
  },
  {
    language: 'ja',
    encodings: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
    text: '波止場の工房は橋が架けられて以来、舟を直している。三人が今も一年中毎週そこで、師匠の残した道具を使って働いている。次は火曜日の夕方に来るそうだ。ロープとタールもある。',
  },
  {
    language: 'zh-CN',
    encodings: ['gb18030'],
    text: '码头上的作坊自从桥建成以来一直在修船。三个人至今仍然每周在那里工作，用的是老师留给他们的工具。如果天气暖和，他们星期二晚上还会再来，孩子们也跟着学习。',
  },
  {
    language: 'zh-TW',
    encodings: ['big5'],
    text: '碼頭上的作坊自從橋建成以來一直在修船。三個人至今仍然每週在那裡工作，用的是老師留給他們的工具。如果天氣暖和，他們星期二晚上還會再來，孩子們也跟著學習。',
  },
  {
    language: 'ko',
    encodings: ['euc-kr'],
    text: '부두의 작업장은 다리가 놓인 뒤로 줄곧 배를 고쳐 왔다. 세 사람이 지금도 일 년 내내 매주 그곳에서 스승이 남겨 준 연장으로 일한다. 날이 따뜻하면 화요일 저녁에 다시 올 것이다.',
  },
];
