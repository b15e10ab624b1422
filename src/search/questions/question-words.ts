import type { Category } from '../engine.ts';

/** Words that show that a question belongs to a category. One such word is enough. */
export const CATEGORY_CUES: Readonly<Record<Exclude<Category, 'general' | 'images'>, readonly string[]>> = {
  code: [
    'javascript|typescript|golang|kotlin|haskell|clojure|cobol|fortran|erlang|ocaml|powershell|webassembly|wasm',
    'numpy|pytorch|tensorflow|scikit-learn|sklearn|matplotlib|scipy|fastapi|sqlalchemy|pytest',
    'reactjs|nextjs|vuejs|angularjs|jquery|webpack|eslint|vitest|nestjs|nodejs|npm|pnpm|yarn.lock',
    'postgres|postgresql|mysql|sqlite|mongodb|redis|graphql|kubernetes|kubectl|dockerfile|docker|nginx',
    'github|gitlab|bitbucket|stackoverflow|segfault|stacktrace|traceback|stderr|stdout|localhost|regex|regexp|nullpointerexception',
    'spring boot|go (?:channel|module|struct|slice|func|interface|routine)s?|c (?:programming|language|code|compiler)|r package',
    'systemd|cmake|makefile|gcc|llvm|clang|webpack|jvm|gradle|pypi|linux kernel|openssl|ffmpeg',
    'compiler|debugger|linter|async await|source code|open source|pull request|stack trace|null pointer|memory leak',
    'git (?:add|bisect|branch|checkout|clone|commit|merge|pull|push|rebase|reset|stash)',
    '(?:npm|pip|pip3|apt|apt-get|brew|cargo|gem|go|composer) (?:install|update|add|run|get|build)',
    '(?:api|command line|shell|bash|python|sql|css|html) (?:reference|script|query|selector|example|tutorial|tag|syntax)',
  ],
  packages: [
    '(?:npm|pypi|pip|cargo|crates.io|rust|python|javascript|typescript|node|nodejs|node.js) (?:package|packages|library|libraries|crate|crates)',
    '(?:package|library|libraries|crate|crates) (?:for|in) (?:rust|python|javascript|typescript|node|nodejs|node.js)|crates.io|npmjs|pypi',
  ],
  places: [
    '(?:address|coordinates|map|postal code|zip code) of .{1,60}|near me|directions to|where (?:is|are) .{1,40} located',
    '(?:restaurants?|hotels?|caf[eé]s?|museums?|pharmacy|pharmacies|hospitals?|stations?|campsites?) (?:in|near|around) .{1,60}',
    'wo liegt|adresse (?:von|de|du) .{1,60}|où se trouve|dónde (?:está|queda)|где находится|在哪里',
  ],
  papers: [
    'arxiv|doi|pubmed|biorxiv|medrxiv|preprint|preprints|et al|citation|citations|meta-analysis|metaanalysis|dissertation|thesis',
    'systematic review|literature review|randomi[sz]ed controlled|clinical trials?|peer[- ]reviewed|research papers?|scientific (?:papers?|articles?|stud(?:y|ies))',
    'stud(?:y|ies) (?:on|of|about|show(?:s|ing)?)|papers? (?:on|about|by)|survey (?:of|on) .{0,40}(?:methods|models|learning|networks)|state of the art|seminal|theorem|proofs? (?:of|that)|empirical evidence|benchmark dataset|ablation',
    '论文|論文',
    'научн\\S{0,6} стать\\S{0,4}|исследовани\\S{0,3}',
  ],
  definitions: [
    '(?:define|definition|meaning|etymology) (?:of )?\\S+|\\S+ (?:definition|meaning|etymology)|what does .{1,60} (?:mean|stand for)',
    'was (?:ist|sind|bedeutet) .{1,60}|qu.est[- ]ce que? .{1,60}|que (?:es|son|significa) .{1,60}|cos.è .{1,60}|o que é .{1,60}',
    '是什么|是什麼|什么是|什麼是|とは',
    'что такое .{1,60}|кто (?:такой|такая) .{1,60}|ما هو .{1,60}|ما هي .{1,60}',
  ],
  discussions: [
    'reddit|forum|forums|hacker news|hackernews|thread|threads|lobste.rs|opinions?|anyone|recommendations?|alternatives? to',
    'worth it|pros and cons|experiences? with|should i|do you|does anyone|has anyone|what do (?:people|you) think|which is better|better than',
    '\\S+ (?:vs|versus) \\S+|best .{1,60} for|favou?rite|advice|tips for|how do you',
    'erfahrungen mit|empfehlungen?|avis sur|opiniones sobre|отзывы',
    '推荐|推薦|おすすめ|怎么样',
  ],
  news: [
    'news|headlines?|breaking|latest|today|yesterday|tonight|this (?:week|month|morning)|last (?:week|night)|right now|currently|recently|just (?:announced|released)|upcoming|live (?:score|updates)|election results?|stock price|weather',
    'nachrichten|heute|gestern|aktuell\\S{0,2}|actualités?|aujourd.hui|noticias|hoy|новости|сегодня|أخبار|اليوم',
    '新闻|新聞|最新|今天|ニュース|今日',
  ],
};

/** Two ambiguous names, or one with a context word, show a question about code. */
export const AMBIGUOUS_CODE_WORDS =
  'django|redux|tailwind|svelte|babel|maven|ansible|terraform|python|java|rust|ruby|swift|perl|dart|julia|scala|elixir|crystal|lua|react|vue|angular|flask|rails|node|deno|bun|vite|pandas|git|bash|shell|linux|sql|css|html|json|yaml|xml|http|api|excel|unity|unreal|android|ios|windows|aws|azure|spark|kafka|airflow|zig|nim|vim|emacs|hugo|jest|mutex|closure';
export const CODE_CONTEXT_WORDS =
  'groupby|dataframe|column|columns|plugin|module|modules|middleware|orm|model|migration|error|errors|exception|function|functions|method|methods|class|classes|array|arrays|list|string|strings|dict|dictionary|loop|import|module|package|library|framework|compile|compiling|install|installing|code|coding|program|programming|script|debug|deploy|syntax|variable|variables|type|types|typing|generic|generics|parameter|parameters|parse|parsing|async|await|promise|callback|hook|hooks|component|database|query|join|index|server|client|request|timeout|undefined|null|nil|borrow|lifetime|thread|threads|goroutine|decorator|iterator|regex|sort|file|files|tutorial|documentation|docs|version|upgrade|config|configure|container|build|test|testing';

/** Frequent words of each language that are rare in other languages. Two of them identify the language of a text. */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the|a|an|of|and|or|to|is|are|was|were|be|it|what|how|why|when|who|where|which|does|do|did|for|with|in|on|at|by|as|not|that|this|my|i|you|from|can|will|should|about|best|come|some|any|more|than|per|vs|me|all|no',
  de: 'der|das|und|ist|nicht|wie|warum|wann|wer|wo|welche|welcher|eine|einen|einem|einer|für|mit|auf|bei|zum|zur|sind|kann|ich|mein|funktioniert',
  fr: 'le|les|des|du|et|est|pourquoi|comment|quand|qui|où|quel|quelle|une|pour|avec|dans|sur|sont|peut|mon|je|aux|ce|fonctionne',
  es: 'el|los|las|y|es|por|qué|cómo|cuándo|quién|dónde|cuál|una|para|con|del|son|puede|mi|funciona|como|hacer',
  it: 'il|gli|della|delle|è|perché|come|quando|chi|dove|quale|una|per|con|nel|sono|può|funziona|che|di|fare',
  pt: 'é|por|quê|como|quando|quem|onde|qual|uma|um|para|com|não|são|pode|meu|funciona|você|fazer',
  nl: 'het|een|en|niet|hoe|waarom|wanneer|wie|waar|welke|voor|met|op|zijn|kan|mijn|werkt|ik',
  pl: 'jest|nie|jak|dlaczego|kiedy|kto|gdzie|jaki|jakie|dla|się|czy|są|może|działa|na|w|z|do|co',
  sv: 'är|och|inte|hur|varför|vem|vilken|ett|för|med|som|kan|min|fungerar|jag|till|av',
  da: 'er|og|ikke|hvordan|hvorfor|hvornår|hvem|hvilken|et|til|med|som|kan|jeg|virker|på',
  fi: 'on|ja|ei|miten|miksi|milloin|kuka|missä|mikä|ovat|voi|kuinka|toimii',
  cs: 'je|není|jak|proč|kdy|kdo|kde|jaký|jaké|pro|jsou|může|funguje|že|se|na',
  tr: 've|bir|nasıl|neden|kim|nerede|hangi|için|ile|mi|mı|nedir|ne|zaman|bu',
  id: 'dan|yang|adalah|bagaimana|mengapa|kapan|siapa|mana|untuk|dengan|cara|apa|itu|di',
  vi: 'là|và|không|như|thế|nào|tại|sao|khi|ai|ở|đâu|cho|với|của|cách|gì',
};
