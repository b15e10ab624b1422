/** Pages by number that change at every look, but in nothing that matters: content that stays, in a site that does not. */

export interface NoisyPage {
  readonly number: number;
  html(look: number, now: number): string;
}

/** Numbers from 0 to 1 that depend on a seed alone (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS =
  'river garden window station kitchen market teacher bridge forest letter island summer winter history machine paper village music doctor number colour animal village street library travel weather bottle'.split(
    ' ',
  );
const LANGUAGES = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT'];
const AGO: Readonly<Record<string, (count: number) => string>> = {
  'en-GB': (count) => `${count} minutes ago`,
  'en-US': (count) => `${count} hours ago`,
  'de-DE': (count) => `vor ${count} Minuten`,
  'fr-FR': (count) => `il y a ${count} minutes`,
  'es-ES': (count) => `hace ${count} minutos`,
  'it-IT': (count) => `${count} minuti fa`,
};
const UPDATED: Readonly<Record<string, string>> = {
  'en-GB': 'Last updated:',
  'en-US': 'As of',
  'de-DE': 'Stand:',
  'fr-FR': 'Mis à jour le',
  'es-ES': 'Actualizado:',
  'it-IT': 'Aggiornato il',
};
const COUNTED = [
  'views',
  'likes',
  'comments',
  'shares',
  'downloads',
  'people viewing this',
  'followers',
  'online',
];

export function noisyPage(number: number): NoisyPage {
  const fixed = randomOf(number + 1);
  const pick = <T>(list: readonly T[], random = fixed) => list[Math.floor(random() * list.length)] as T;
  const prose = (count: number) =>
    `${Array.from({ length: count }, () => pick(WORDS)).join(' ')} ${Math.floor(fixed() * 90) + 10}`;
  const language = pick(LANGUAGES);
  const title = `${pick(WORDS)} ${pick(WORDS)} ${number}`;
  const paragraphs = Array.from({ length: 3 + Math.floor(fixed() * 3) }, () =>
    prose(18 + Math.floor(fixed() * 20)),
  );
  const rows = Array.from({ length: 4 }, () => [
    pick(WORDS),
    `${Math.floor(fixed() * 500)}.00 EUR`,
    '12 March 2024',
  ]);
  const items = Array.from({ length: 5 }, (_, at) => `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)} ${at}`);
  const counted = pick(COUNTED);
  const inline = fixed() < 0.5;
  const ads = Array.from({ length: 6 }, () => `Buy the ${pick(WORDS)} of the ${pick(WORDS)} today`);
  return {
    number,
    html(look, now) {
      const random = randomOf(number * 100_003 + look);
      const id = Array.from({ length: 24 }, () => Math.floor(random() * 16).toString(16)).join('');
      const date = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(now);
      const boxes = [
        `<div class="ad ad-top"><p>${pick(ads, random)}</p></div>`,
        `<div class="box"><span>Advertisement</span><p>${pick(ads, random)}</p></div>`,
        `<aside class="sponsored"><h3>Sponsored</h3><p>${pick(ads, random)}</p></aside>`,
        '<aside class="box"><h3>Newsletter</h3><p>Write your address here for our letter.</p></aside>',
      ].sort(() => random() - 0.5);
      const link = (text: string) =>
        `<a href="/${text.replaceAll(' ', '-')}?utm_source=s${look}&amp;sid=${id}&amp;ref=${look}">${text}</a>`;
      const count = Math.floor(1000 + look * 7 + random() * 50);
      const meta = `${UPDATED[language]} ${date({ dateStyle: 'long' })}${random() < 0.9 ? `, ${date({ timeStyle: 'short' })}` : ''} · ${count.toLocaleString('en')} ${counted} · ${AGO[language]?.(2 + Math.floor(random() * 50))}`;
      return `<!doctype html><html lang="${language.slice(0, 2)}"><head><title>${title}</title><meta name="token" content="${id}"></head>
<body id="s${id}"><header><nav><a href="/?s=${id}">Home</a> <a href="/all">All</a></nav><p>${date({ dateStyle: 'full' })} ${date({ timeStyle: 'medium' })}</p></header>
${boxes[0]}<main><h1>${title}</h1><p>${meta}</p>${paragraphs.map((text, at) => `<p>${text}</p>${at === 1 && inline ? boxes[1] : ''}`).join('\n')}
<table><tr><th>Name</th><th>Price</th><th>Since</th></tr>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>
<ul>${items.map((item) => `<li>${link(item)} ${Math.floor(random() * 90)} comments</li>`).join(look % 2 ? '' : '\n\n   ')}</ul>
<p>Session: ${id.slice(0, 16)} · ${date({ dateStyle: 'short' })}</p></main>${inline ? '' : boxes[1]}${boxes[2]}${boxes[3]}
<footer><p>© ${new Date(now).getUTCFullYear()} Example · Request ID ${id.slice(4, 14)} · ${Math.floor(random() * 300)} users online</p></footer></body></html>`;
    },
  };
}
