import failures from './listen-failures.json' with { type: 'json' };

const REASONS: Readonly<Record<string, string>> = failures;

export function describeListenFailure({ code = '' }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? 'the system does not allow it';
}
