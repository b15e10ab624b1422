import { escapeInvisible } from '../../lib/text/escape-invisible.ts';
import { hideTokens } from '../findings/hide.ts';

/** Advice for each kind of gap. A gap is content that a scanner should have read but could not. */
export const ADVICE_BY_GAP_KIND = {
  'large-files': 'check them by other means',
  limits: 'scan parts of the repository by themselves',
  unreadable: 'let Magpie read them',
  ignored: 'scan a copy of it outside the repository, or take its pattern out of .gitignore',
  submodules: 'scan their repositories by themselves',
  lfs: 'fetch them with `git lfs pull` and scan the folder',
  links: 'commit the lockfile itself in the place of the link',
  history: 'fetch the whole of it (`git fetch --unshallow`), or scan without --deep',
  languages: 'install the packages that read them',
  'unread-code': 'scan it by a program that reads it, such as semgrep in MAGPIE_SCANNERS',
  'unread-configuration': 'scan it by a program that reads it, such as checkov in MAGPIE_SCANNERS',
  lockfiles: 'let its package manager write the lockfile, and commit it',
  servers: 'scan the folder or repository of their code',
  advisories: 'run `magpie advisories update`, or let OSV be asked: MAGPIE_ADVISORIES=osv',
} as const;
export type GapKind = keyof typeof ADVICE_BY_GAP_KIND;
export const GAP_KINDS = Object.keys(ADVICE_BY_GAP_KIND) as readonly GapKind[];

export interface Gap {
  readonly kind: GapKind;
  /** Missing content, as a phrase: `3 files over 10 MB`. */
  readonly what: string;
  readonly fix: string;
}

export interface Omissions {
  readonly left: readonly string[];
  readonly gaps: readonly Gap[];
  leave(what: string): void;
  /** Adds a gap. `fix` replaces the general advice for this kind of gap. */
  miss(kind: GapKind, what: string, fix?: string): void;
}

/** Maximum number of lines in a list. A hostile repository can cause any number of lines. */
const MAX_LINES = 100;

/** Masks tokens and escapes invisible characters. File names in the text can contain any characters. */
function shownText(text: string): string {
  return escapeInvisible(hideTokens(text));
}

/** Collects omissions. A full list still accepts the first gap of each kind. */
export function createOmissions(): Omissions {
  const left: string[] = [];
  const gaps: Gap[] = [];
  let more = 0;
  const leave = (told: string) => {
    const what = shownText(told);
    if (left.length < MAX_LINES) left.push(what);
    else left[MAX_LINES] = `and ${++more} more`;
  };
  return {
    left,
    gaps,
    leave,
    miss(kind, told, fix = ADVICE_BY_GAP_KIND[kind]) {
      leave(told);
      const what = shownText(told);
      if (gaps.length < MAX_LINES || !gaps.some((gap) => gap.kind === kind)) gaps.push({ kind, what, fix });
    },
  };
}
