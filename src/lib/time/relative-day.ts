import { normalizeDateText } from './written-date.ts';

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const MAX_LANGUAGES = 100;
const known = new Map<string, readonly Intl.RelativeTimeFormat[]>();

/** Reads the day from the end of a text, as in `posted 3 hours ago`. Does not support weeks or months. */
export function readRelativeDay(text: string, language = 'en', now = Date.now()): string | undefined {
  const said = plain(text.slice(0, 200)).replace(/(?<!\p{L})an? (?=\p{L})/u, '1 ');
  const count = Number(/(?<!\d)\d{1,2}(?=\D*$)/.exec(said)?.[0] ?? 1);
  for (const format of [...formatsIn(language), ...formatsIn('en')]) {
    for (const [unit, ms] of Object.entries(UNIT_MS)) {
      const phrase = plain(format.format(-count, unit as keyof typeof UNIT_MS));
      const before = said.endsWith(phrase) ? said.slice(0, -phrase.length) : '0';
      if (!/[\p{L}\p{M}\d]$/u.test(before)) return new Date(now - count * ms).toISOString().slice(0, 10);
    }
  }
  return undefined;
}

const plain = (text: string): string => normalizeDateText(text).toLowerCase().replaceAll('.', '');

function formatsIn(language: string): readonly Intl.RelativeTimeFormat[] {
  let formats = known.get(language);
  try {
    formats ??= (['long', 'short', 'narrow'] as const).flatMap((style) =>
      (['auto', 'always'] as const).map(
        (numeric) => new Intl.RelativeTimeFormat(language, { numeric, style }),
      ),
    );
  } catch {
    formats = [];
  }
  if (known.size < MAX_LANGUAGES) known.set(language, formats);
  return formats;
}
