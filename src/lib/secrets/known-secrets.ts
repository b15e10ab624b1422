const MASK = '[redacted]';
/** Minimum length of a secret. Shorter texts occur everywhere by chance. */
const MIN_SECRET_CHARACTERS = 4;
/** Minimum length of a secret that is also masked inside of words and in other encodings. */
const MIN_DISTINCT_CHARACTERS = 8;
/** Matches a secret that looks like a word, such as `local`. It is masked only as a value: `name=local`. */
const PLAIN_WORD = /^(?:\p{Lu}?\p{Ll}{0,10}|\p{Lu}{1,10})$/u;
const BREAK = /(?:\r?\n|\\r\\n|\\n)[ \t]{0,40}/g;

/** Returns a function that masks secrets in a text, also in other encodings and across line breaks. */
export function createSecretMask(secrets: readonly string[], fits = isValuePlace): (text: string) => string {
  const known = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARACTERS))];
  // Masks longer secrets first, because a secret may be part of another.
  known.sort((a, b) => b.length - a.length);
  const others = known.filter((secret) => !PLAIN_WORD.test(secret));
  const distinct = others.filter(isDistinct);
  const forms = distinct
    .flatMap((secret) => [...new Set([secret, ...writtenForms(secret), ...inBase64(secret)])])
    .sort((a, b) => b.length - a.length);
  const whole = others.map((secret) => [secret, ...writtenForms(secret)]);
  const joined = distinct.map((secret) => secret.replace(BREAK, '')).filter(isDistinct);
  return (text) => {
    let out = text;
    for (const form of forms) out = out.replaceAll(form, MASK);
    for (const written of whole) out = maskWhole(out, written, isBorder);
    for (const secret of known) out = maskWhole(out, [secret], fits);
    return maskBroken(out, joined);
  };
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return createSecretMask(secrets)(text);
}

export function maskSecretsInForeignText(text: string, secrets: readonly string[]): string {
  return createSecretMask(secrets, isBorder)(text);
}

const isDistinct = ({ length }: string): boolean => length >= MIN_DISTINCT_CHARACTERS;

function writtenForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const address = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  return [
    json,
    JSON.stringify(json).slice(1, -1),
    address,
    lowerBytes(address),
    form,
    lowerBytes(form),
    ...inHtml(secret),
  ];
}

function lowerBytes(address: string): string {
  return address.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase());
}

function inHtml(secret: string): string[] {
  const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  return [escaped, quoted, quoted.replaceAll("'", '&#39;'), quoted.replaceAll("'", '&#x27;')];
}

/** Returns the secret's base64 text for 0, 1 and 2 bytes before it, in standard and URL-safe form. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function maskWhole(text: string, forms: readonly string[], fits: (before: string, after: string) => boolean) {
  return [...new Set(forms)].reduce((masked, form) => {
    const spans = placesOf(form, masked).filter(({ start, end }) =>
      fits(masked.slice(Math.max(0, start - 2), start), masked.slice(end, end + 2)),
    );
    return cutOut(masked, spans);
  }, text);
}

function isBorder(before: string, after: string): boolean {
  return !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after);
}

/** True if the text around a word shows that it is a value: after `=`, or as the password in a URL. */
function isValuePlace(before: string, after: string): boolean {
  return isBorder(before, after) && (before.endsWith('=') || (before.endsWith(':') && after.startsWith('@')));
}

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

function placesOf(secret: string, text: string): TextSpan[] {
  const places: TextSpan[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push({ start: at, end: at + secret.length });
  }
  return places;
}

function maskBroken(text: string, secrets: readonly string[]): string {
  const breaks = [...text.matchAll(BREAK)];
  const line = text.replace(BREAK, '');
  const spans = secrets.flatMap((secret) => placesOf(secret, line)).sort((a, b) => a.start - b.start);
  let [at, removed] = [0, 0];
  /** Converts an offset in `line` to one in `text`. Must be called with ascending offsets. */
  const inText = (offset: number) => {
    for (let next = breaks[at]; next && next.index - removed < offset; next = breaks[++at]) {
      removed += next[0].length;
    }
    return offset + removed;
  };
  const whole: { readonly start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = whole.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else whole.push({ start, end });
  }
  return cutOut(
    text,
    whole.map(({ start, end }) => ({ start: inText(start + 1) - 1, end: inText(end) })),
  );
}

function cutOut(text: string, spans: readonly TextSpan[]): string {
  let [out, from] = ['', 0];
  for (const { start, end } of spans) {
    out += text.slice(from, start) + MASK;
    from = end;
  }
  return out + text.slice(from);
}
