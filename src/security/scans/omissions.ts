import { visible } from '../../lib/text/visible.ts';
import { hideTokens } from '../findings/hide.ts';

/**
 * Reasons why something that a scanner would read was not scanned, each with what to do about it. What no scanner would
 * read (a link, a picture, the folder of installed packages) is none of them.
 */
export const GAP_FIXES = {
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
  advisories: 'run `magpie advisories update`, or let OSV be asked: MAGPIE_ADVISORIES=osv',
} as const;
export type GapKind = keyof typeof GAP_FIXES;
export const GAP_KINDS = Object.keys(GAP_FIXES) as readonly GapKind[];

/** Something that should have been scanned and was not. */
export interface Gap {
  readonly kind: GapKind;
  /** In plain words: `3 files over 10 MB`. */
  readonly what: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Collects what is not scanned. */
export interface Omissions {
  /** All of it, in plain words, gaps among them. */
  readonly left: readonly string[];
  readonly gaps: readonly Gap[];
  /** Something that no scanner would have read. */
  leave(what: string): void;
  /** A gap; `fix` where more can be said than its kind does. */
  miss(kind: GapKind, what: string, fix?: string): void;
}

/** Most lines about what was left out: a hostile tree has reason for many. */
const MAX_LINES = 100;

/** File names come from the repository: they may hold anything. */
function shownText(text: string): string {
  return visible(hideTokens(text));
}

/** Of each kind of gap one at least is kept, however many there are. */
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
    miss(kind, told, fix = GAP_FIXES[kind]) {
      leave(told);
      const what = shownText(told);
      if (gaps.length < MAX_LINES || !gaps.some((gap) => gap.kind === kind)) gaps.push({ kind, what, fix });
    },
  };
}
