/** For each language, the beginning of a text, and pairs of forms of one word, which a search should find for each other. */
export const WORD_FORMS: Readonly<Record<string, { readonly frame: string; readonly pairs: string }>> = {
  ar: {
    frame: 'كتبت هذه الملاحظة في الصباح بعد أن وصلنا إلى المدينة',
    pairs:
      'مدرسة:المدرسة كتاب:الكتاب سفينة:السفينة مهندسون:مهندسين معلم:المعلم بيت:البيت سيارة:السيارة شجرة:الشجرة طاحونة:الطاحونة قلم:القلم',
  },
  da: {
    frame: 'Jeg skrev det her i går, og det er ikke for sent at læse, hvad der var',
    pairs:
      'båd:både hus:huset nøgle:nøgler lampe:lamper kat:katte reparere:repareret værksted:værkstedet fisk:fisken bil:biler vindue:vinduer',
  },
  de: {
    frame: 'Ich habe das gestern für uns geschrieben, weil es nicht nur hier und auch dort so war mit',
    pairs:
      'Haus:Häuser reparieren:repariert Boot:Boote Brücke:Brücken Schlüssel:Schlüssels Rechnung:Rechnungen Stadt:Städte Kind:Kinder Baum:Bäume Garten:Gärten',
  },
  el: {
    frame: 'Έγραψα αυτό το σημείωμα χθες το πρωί για όλους μας και για',
    pairs:
      'σπίτι:σπίτια βάρκα:βάρκες γέφυρα:γέφυρες δρόμος:δρόμοι πόλη:πόλεις θάλασσα:θάλασσες κλειδί:κλειδιά μηχανή:μηχανές λιμάνι:λιμάνια δέντρο:δέντρα',
  },
  es: {
    frame: 'Ayer lo escribí para todos nosotros porque no hay nada más que esto sobre',
    pairs:
      'barco:barcos llave:llaves canción:canciones reparar:reparado árbol:árboles camión:camiones gata:gatos trabajar:trabajando inglés:ingleses jardín:jardines',
  },
  fi: {
    frame: 'Minä olen eilen tehnyt tämän ja se on vain meille, koska kun he eivät ole täällä, missä on',
    pairs:
      'talo:talossa vene:veneet auto:autoja silta:sillalla kissa:kissat kirja:kirjassa koulu:koulussa järvi:järvellä metsä:metsässä kala:kalat',
  },
  fr: {
    frame: 'Je vous ai écrit cela hier parce que nous ne sommes pas encore là avec',
    pairs:
      'bateau:bateaux réparer:réparée clé:clés maison:maisons cheval:chevaux grande:grandes travailler:travaillée école:écoles pêcheur:pêcheurs étudiante:étudiantes',
  },
  hi: {
    frame: 'यह सूचना कल सुबह हम सब के लिए लिखी गई थी',
    pairs:
      'लड़का:लड़के किताब:किताबें नदी:नदियाँ घर:घरों कुर्सी:कुर्सियाँ पेड़:पेड़ों सड़क:सड़कों गाड़ी:गाड़ियों चाबी:चाबियाँ कमरा:कमरे',
  },
  hu: {
    frame: 'Tegnap ezt csak azért írtam, hogy ne legyen több ilyen, és mert nem volt itt már',
    pairs:
      'hajó:hajók kulcs:kulcsot híd:hidat ház:házban asztal:asztalok autó:autóval könyv:könyvek iskola:iskolában város:városok levél:levelek',
  },
  hy: {
    frame: 'Այս նամակը գրվել է երեկ առավոտյան բոլորիս համար',
    pairs:
      'նամակ:նամակներ սեղաններ:սեղան նավակ:նավակներ սեղան:սեղանի կամուրջ:կամուրջներ դպրոց:դպրոցում գրասենյակ:գրասենյակներ բանալի:բանալիներ հեռախոս:հեռախոսներ գետ:գետում',
  },
  id: {
    frame: 'Kami sudah tidak akan datang ke sini lagi karena itu untuk semua orang yang',
    pairs:
      'baca:membaca pakai:memakai main:bermain kerja:bekerja buku:bukunya jalan:berjalan rumah:rumahnya ajar:belajar makan:makanan kapal:kapalnya',
  },
  it: {
    frame: 'Ieri non abbiamo ancora fatto questo perché anche gli altri sono stati dove c’è',
    pairs:
      'barca:barche casa:case porta:porte riparare:riparato ponte:ponti gatto:gatti lavorare:lavorando giardino:giardini libro:libri stanza:stanze',
  },
  nl: {
    frame: 'Ik heb dat gisteren voor ons gedaan, omdat het niet meer zo was en ook niet',
    pairs:
      'boot:boten muur:muren sleutel:sleutels raam:ramen deur:deuren straat:straten kat:katten tuin:tuinen kamer:kamers boek:boeken',
  },
  no: {
    frame: 'Jeg skrev ikke noe mye mer til deg etter at det var sent og hva som ble',
    pairs:
      'båt:båtene hus:huset nøkkel:nøkkelen katt:katter stol:stoler reparere:reparert verksted:verkstedet fisk:fisken bil:biler vindu:vinduer',
  },
  pt: {
    frame: 'Eu não fiz isso ontem porque você também estava com os outros até muito tarde e já era',
    pairs:
      'barco:barcos chave:chaves reparar:reparado casa:casas cidade:cidades gato:gatos trabalhar:trabalhando porta:portas livro:livros ponte:pontes',
  },
  ro: {
    frame: 'Nu am scris asta ieri pentru că ei erau deja acolo și au fost foarte mult după ce',
    pairs:
      'casă:casele pod:podul munte:munții băiat:băiatul lucra:lucrând grădină:grădinile oraș:orașul barcă:barca pisică:pisica școală:școala',
  },
  ru: {
    frame: 'Мы написали это вчера утром для всех, потому что там было',
    pairs:
      'лодка:лодки дом:дома мельница:мельницу ключ:ключи мост:мостом чинить:чинили город:города кошка:кошками работать:работали книга:книгу',
  },
  sv: {
    frame: 'Jag skrev det här igår, och det är inte för sent att läsa vad som var mycket',
    pairs:
      'båt:båtar lampa:lampor flicka:flickor stol:stolar katt:katter reparera:reparerad dag:dagar fisk:fiskar bil:bilar hund:hundar',
  },
  ta: {
    frame: 'இந்த குறிப்பு நேற்று காலை அனைவருக்கும் எழுதப்பட்டது',
    pairs:
      'படகு:படகுகள் வீடு:வீடுகள் கடை:கடைகள் நகரம்:நகரங்கள் பாலம்:பாலங்கள் கதவு:கதவுகள் பள்ளி:பள்ளிகள் கார்:கார்கள் பூனை:பூனைகள் நாய்:நாய்கள்',
  },
  tr: {
    frame: 'Dün bunu sadece sizin için yazdım, çünkü ama daha önce hiç böyle değil ve bir şey olarak var',
    pairs:
      'tekne:tekneler ev:evler anahtar:anahtarlar köprü:köprüler kedi:kediler tren:trenler okul:okulda şehir:şehirler kitap:kitaplar bahçe:bahçede',
  },
};

/** Returns the pairs of a language's word forms. */
export function formPairs(pairs: string): [string, string][] {
  return pairs.split(' ').map((pair) => {
    const [one = '', other = ''] = pair.split(':');
    return [one, other];
  });
}
