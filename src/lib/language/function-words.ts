/** Word lists for Latin script. A word in NAME_WORDS counts little, an English word not at all. */

export const ENGLISH_WORDS = `
  the and but or if of to on at by for with from as is are was were be been being am it its this that these those he she
  they we you me my your our their his her him us them not no so than then there here what which who whose when where why
  how can could will would shall should may might must about into over under out up down off again any all some more most
  much many such own same very just also only too between during before after above below while because until each other
  both few do does did done doing have has had having an in get got gets make made need needs want wants know think see
  said say says new old one two three first last next time day days week year years people use used using like good well
  back way work works please thanks today tomorrow yesterday never always every still now i'm don't it's can't`;

export const NAME_WORDS = `de la le les los las el van von der den da di del della du des dos das do al il san zu en e y var val per`;

/** Frequent words by language. A missing language is detected by words of a similar one. */
export const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  german: `ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen mein meine meinen meiner dein deine sein seine
    seinen seiner unser unsere der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber denn
    weil dass daß ob wenn als wie wo wer was wann warum nicht auch noch schon nur sehr mehr immer nie heute morgen gestern
    jetzt hier dort da dann im am zum zur vom beim ins auf aus bei mit nach seit von zu für gegen ohne um durch über unter
    vor zwischen ist bin bist sind seid war waren hat habe haben hatte hatten wird werden wurde wurden worden kann können
    konnte muss müssen musste soll sollen sollte will wollen wollte darf gibt geht gehen macht machen kommt kommen alle
    alles viel viele wieder bitte danke uhr termin kaufen vergessen neue neuen diese dieser dieses diesen bis`,
  french: `je tu il elle nous vous ils elles me te se moi toi lui leur le la les un une des du de au aux ce cet cette ces mon
    ma mes ton ta tes son sa ses notre nos votre vos leurs et ou où mais donc ni car que qui quoi dont quand comment
    pourquoi si ne pas plus jamais rien tout tous toute toutes très bien aussi encore déjà toujours avec sans sous sur dans
    par pour chez entre vers depuis pendant avant après est sont suis es êtes était étaient sera être été ai as avons avez
    ont avait avoir fait faire faut peut peux veux dit va vais aller aujourd'hui demain hier ici là en c'est d'un d'une
    qu'il j'ai n'est l'on merci bonjour même autre autres comme parce ça`,
  spanish: `yo tú él ella nosotros ellos ellas usted ustedes me te se nos lo la los las le les el un una unos unas de del al
    y e o u pero porque que qué quien quién cual cuál cuando cuándo donde dónde como cómo cuanto no sí si ni más menos muy
    mucho mucha muchos también tampoco ya aún todavía siempre nunca hoy mañana ayer ahora aquí allí con sin sobre bajo entre
    hacia hasta desde por para según es son soy eres somos era eran fue fueron ser sido está están estoy estaba estar hay
    ha he han había hacer hace tiene tengo tienen tener puede puedo pueden quiero quiere va voy mi mis tu tus su sus
    nuestro nuestra este esta esto estos estas ese esa eso todo todos toda todas otro otra gracias hola buenos días`,
  portuguese: `eu tu ele ela nós vós eles elas você vocês me te se nos o a os as um uma uns umas de do da dos das no na nos
    nas ao aos à às pelo pela e ou mas porque que quem qual quando onde como quanto não sim nem mais menos muito muita
    muitos também já ainda sempre nunca hoje amanhã ontem agora aqui ali com sem sobre sob entre até desde por para é são
    sou somos era eram foi foram ser sido está estão estou estava estar há tem tenho têm tinha ter fazer faz pode posso
    quero vai vou meu minha meus seu sua seus nosso nossa este esta isto esse essa isso aquele todo todos toda outra outro
    obrigado obrigada olá`,
  italian: `io tu lui lei noi voi loro mi ti si ci vi lo la li le gli ne il i un uno una di del dello della dei degli delle
    da dal dalla a al allo alla ai agli alle in nel nella nei nelle su sul sulla con per tra fra e o ma però perché che chi
    cosa quale quando dove come quanto non sì più meno molto molti anche ancora già sempre mai oggi domani ieri adesso ora
    qui qua è sono sei siamo siete era erano fu essere stato stata ho hai ha abbiamo avete hanno aveva avere fare fa fatto
    può posso devo deve voglio vuole va vado mio mia miei tuo suo sua nostro questo questa questi queste quello quella tutto
    tutti tutte altro altri grazie ciao dopo prima senza`,
  dutch: `ik jij je hij zij ze wij we jullie u mij me hem haar ons hun mijn jouw zijn onze de het een en of maar want dat die
    dit deze wat wie waar wanneer waarom hoe niet geen ook nog al alleen zeer veel meer altijd nooit vandaag morgen
    gisteren nu hier daar dan er in op aan bij met van voor naar uit over onder tussen door om te tot sinds zonder is ben
    bent was waren heb hebt heeft hebben had hadden word wordt worden werd kan kunnen kon moet moeten wil willen zal zullen
    gaat gaan doen doet komt als omdat toch wel heel alle alles weer bedankt hallo goed`,
  polish: `ja ty on ona my wy oni mnie mi ci go jej jego ich nam nas was się siebie i a ale lub albo oraz że bo ponieważ gdy
    kiedy jak co kto gdzie dlaczego czy nie tak też także tylko jeszcze już zawsze nigdy dziś dzisiaj jutro wczoraj teraz tu
    tutaj tam w we z ze na do od dla po przez przed przy nad pod za o u bez między jest są jestem był była było byli być
    będzie będą ma mam mają może mogę można trzeba musi muszę chcę ten ta to te tego tej tym tych który która które mój moja
    twój swój bardzo więcej dziękuję proszę`,
  turkish: `ben sen o biz siz onlar bana sana bunu onu bu şu ve veya ya da de ile ama fakat çünkü ki için gibi kadar daha en
    çok az her hiç bir iki ne kim nerede nasıl neden niçin mi mı mu mü değil var yok evet hayır bugün yarın dün şimdi burada
    orada sonra önce olarak olan oldu olur olacak olduğu ise bile sadece bütün tüm kendi benim senin bizim teşekkürler`,
  vietnamese: `tôi bạn anh chị em nó chúng ta họ và hoặc nhưng vì nếu thì mà là có không được bị của cho với từ đến trong
    ngoài trên dưới này đó kia đây một hai các những nhiều rất cũng đã đang sẽ chưa khi nào gì ai đâu sao như thế hơn nhất
    người năm ngày hôm nay mai qua làm đi về ra vào phải cần lại`,
  indonesian: `saya aku kamu anda dia kami kita mereka ini itu yang dan atau tetapi tapi karena jika kalau di ke dari pada untuk
    dengan oleh dalam tentang tidak bukan belum sudah telah akan sedang bisa dapat harus ada adalah juga hanya lebih sangat
    semua setiap apa siapa mana kapan mengapa kenapa bagaimana hari besok kemarin sekarang sini sana lagi saat seperti
    sebagai para banyak orang tahun terima kasih nya`,
  swedish: `jag du han hon vi ni de dem mig dig sig oss min mitt mina din ditt sin sitt och eller men att som den det en ett
    är var vara varit har hade ha blir blev kan kunde ska skulle vill måste inte också bara mycket mer alltid aldrig idag
    imorgon igår nu här där då när hur vad vem varför för från till med på av om under över efter före mellan utan tack`,
  danish: `jeg du han hun vi de dem mig dig sig os min mit mine din dit og eller men at som den det en et er var være været
    har havde bliver blev blevet kan kunne skal skulle vil må ikke også bare meget mere altid aldrig i dag morgen går nu her
    der da når hvor hvordan hvad hvem hvorfor for fra til med på af om under over efter før mellem uden tak`,
  norwegian: `jeg eg du han hun vi de dem meg deg seg oss min mitt mine din ditt og eller men at som den det en et ei er var være
    vært har hadde ha blir ble blitt kan kunne skal skulle vil må ikke ikkje også bare mye mer alltid aldri i dag morgen går
    nå her der da når hvor hvordan hva hvem hvorfor for fra til med på av om under over etter før mellom uten takk`,
  finnish: `minä sinä hän me te he minun sinun hänen on ovat oli olivat olla ole olen en ei eivät ja tai mutta koska että kun
    jos kuin joka jotka mikä mitä missä miksi miten kuka tämä se ne nämä myös vain vielä jo hyvin enemmän aina tänään
    huomenna eilen nyt täällä kanssa ilman jälkeen ennen pitää voi kiitos`,
  czech: `já ty on ona my vy oni mě mi mu jej jeho její jejich se si a ale nebo protože že když kdy jak co kdo kde proč zda ne
    ano také taky jen ještě už vždy nikdy dnes zítra včera teď tady tam v ve z ze na do od pro po přes před při nad pod za o
    u bez mezi je jsou jsem jsme byl byla bylo byli být bude budou má mám mají může mohu musí ten ta to ty toho té tom který
    která které můj moje svůj velmi více děkuji prosím som sú bol bola nie aj ako čo`,
  romanian: `eu tu el ea noi voi ei ele mă te se ne vă îmi îți își un o unei unui al ai ale și sau dar că pentru că dacă când
    cum ce cine unde de nu da mai foarte mult tot toate încă deja mereu niciodată azi astăzi mâine ieri acum aici acolo în
    la cu fără pe sub din spre între până după este sunt sînt era erau fi fost am ai are avem au avea face poate pot trebuie
    vreau acest această acesta meu mea mei său lui lor mulțumesc`,
  hungarian: `én te ő mi ti ők nem igen is és vagy de hogy mert ha mint aki ami amely mely mi ki hol mikor miért hogyan egy a
    az ez ezt azt ezek azok van vannak volt voltak lesz lenni kell lehet csak már még meg mindig soha ma holnap tegnap most
    itt ott után előtt között nélkül minden nagyon több sok köszönöm`,
  tagalog: `ako ikaw siya kami tayo sila ko mo niya natin nila ang ng sa mga na ay at o pero dahil kung kapag hindi wala may
    mayroon din rin lang pa ba po ito iyan iyon dito doon ano sino saan kailan bakit paano bukas kahapon ngayon araw para`,
  swahili: `mimi wewe yeye sisi ninyi wao na au lakini kwa kwamba kama ni si ya wa za la cha vya katika kutoka hadi baada kabla
    hii hiyo huyu hawa hili leo kesho jana sasa hapa nini nani wapi lini kwa nini sana pia tu kila wote ana kuwa alikuwa`,
  croatian: `ja ti on ona mi vi oni mene me mu ga je se i ili ali jer da kad kada kako što šta tko ko gdje gde zašto ne nije
    nisu također samo još već uvijek uvek nikad danas sutra jučer juče sada ovdje tamo u iz na do od za po kroz pred pri nad
    pod o bez između sam si smo ste su bio bila bilo bili biti bit će ću ima imam mogu može moram treba taj ta to ovaj koji
    koja koje moj svoj vrlo više hvala molim`,
  catalan: `jo tu ell ella nosaltres vosaltres ells em et es ens us el la els les un una uns unes de del dels al als i o però
    perquè que què qui quan on com no sí ni més menys molt molta també ja encara sempre mai avui demà ahir ara aquí allà amb
    sense sobre sota entre fins des per és són era eren va van ser estar està hi ha he han fer té tinc pot vull meu seva
    aquest aquesta això tot tots altre gràcies`,
};

export const LANGUAGE_CODES: Readonly<Record<string, string>> = {
  german: 'de',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  italian: 'it',
  dutch: 'nl',
  polish: 'pl',
  turkish: 'tr',
  vietnamese: 'vi',
  indonesian: 'id',
  swedish: 'sv',
  danish: 'da',
  norwegian: 'no',
  finnish: 'fi',
  czech: 'cs',
  romanian: 'ro',
  hungarian: 'hu',
  tagalog: 'tl',
  swahili: 'sw',
  croatian: 'hr',
  catalan: 'ca',
};
