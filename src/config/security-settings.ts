import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { namesSetting, type Setting, urlSetting, wholeNumberSetting } from './setting.ts';

const EXTERNAL = ['semgrep', 'gitleaks', 'trivy', 'osv-scanner', 'checkov'] as const;
const ADVISORIES = ['osv', 'npm', 'offline', 'off'] as const;
const REGISTRIES = ['npm', 'PyPI', 'crates.io', 'RubyGems', 'NuGet', 'Packagist', 'Hex', 'Pub'];

export const SECURITY_SETTINGS = {
  scanRoots: {
    env: 'MAGPIE_SCAN_ROOTS',
    schema: z
      .array(
        z
          .string()
          .refine(isAbsolute)
          .transform((folder) => resolve(folder)),
      )
      .default([]),
    takes: 'absolute paths of folders, separated by commas',
    about:
      'Folders of this machine that callers of a server may scan, with all below them. `magpie scan` takes any folder that its user can read.',
  },
  scanners: {
    ...namesSetting('MAGPIE_SCANNERS', EXTERNAL),
    about: 'External scanners that take part in scans where they are installed; findings are merged.',
  },
  scannerPath: {
    env: 'MAGPIE_SCANNER_PATH',
    schema: z.string().min(1).default('/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'),
    takes: 'absolute paths of folders, separated as in PATH',
    about: 'Folders in which those, git and ssh are found.',
  },
  scanTimeout: {
    ...wholeNumberSetting('MAGPIE_SCAN_TIMEOUT', 1000, 86_400_000, 1_800_000),
    about: 'Milliseconds that one scan may take, waiting for its turn not counted.',
  },
  scanFetchBytes: {
    ...wholeNumberSetting('MAGPIE_SCAN_FETCH_BYTES', 1_000_000, 1_000_000_000_000, 2_000_000_000),
    about: 'Most bytes that one repository may take to fetch; they are on the disk until the scan is over.',
  },
  scanFiles: {
    ...wholeNumberSetting('MAGPIE_SCAN_FILES', 1, 2_000_000, 200_000),
    about: 'Most files of one repository or folder that are scanned; the answer names what was left out.',
  },
  advisories: {
    ...namesSetting('MAGPIE_ADVISORIES', ADVISORIES),
    about:
      "Who is asked about vulnerable packages: OSV, npm's registry, or the database of `magpie advisories update`, which sends nothing anywhere; off lists the packages only. By default that database where it is not too old, else OSV. Names and versions of packages are all that is sent.",
  },
  advisoriesDays: {
    ...wholeNumberSetting('MAGPIE_ADVISORIES_DAYS', 1, 3650, 7),
    about:
      'Days after which the offline database of advisories is too old to be asked by default; where it is asked nevertheless, that is a gap for `--fail-on`.',
  },
  advisoriesUrl: {
    ...urlSetting('MAGPIE_ADVISORIES_URL', 'https://osv-vulnerabilities.storage.googleapis.com'),
    about: "Where `magpie advisories update` finds OSV's exports, or a mirror of them.",
  },
  osvUrl: {
    ...urlSetting('MAGPIE_OSV_URL', 'https://api.osv.dev'),
    about: "Where OSV's API is, or a mirror of it.",
  },
  npmRegistryUrl: {
    ...urlSetting('MAGPIE_NPM_REGISTRY_URL', 'https://registry.npmjs.org'),
    about: 'Where the npm registry is that is asked for its advisories, and for what it says of packages.',
  },
  packageFacts: {
    env: 'MAGPIE_PACKAGE_FACTS',
    schema: z.enum(['on', 'off']).default('on'),
    takes: 'on or off',
    about:
      'Whether the public registries are asked if packages exist, are new, deprecated or withdrawn, or have a new publisher. Names alone are sent, and none with MAGPIE_ADVISORIES=offline or off; names that resemble a famous one are found without.',
  },
  registryUrls: {
    env: 'MAGPIE_REGISTRY_URLS',
    schema: z
      .array(
        z
          .string()
          .regex(/^[\w.]{1,20}=https?:\/\/\S{1,500}$/)
          .refine(
            (one) =>
              REGISTRIES.includes(one.slice(0, one.indexOf('='))) &&
              URL.canParse(one.slice(one.indexOf('=') + 1)),
          )
          .transform((one) => one.replace(/\/$/, '')),
      )
      .default([]),
    takes: `registry=address, separated by commas, for ${REGISTRIES.join(', ')}`,
    about:
      'Mirrors of registries that are asked about packages in place of the public ones: `PyPI=https://pypi.acme.example`.',
  },
  privatePackages: {
    env: 'MAGPIE_PRIVATE_PACKAGES',
    schema: z.array(z.string().trim().min(1).max(300)).default([]),
    takes: 'names of packages, with * for anything, separated by commas',
    about: 'Packages whose names are never sent out: `@acme/*,com.acme.*`.',
  },
  denyLicenses: {
    env: 'MAGPIE_DENY_LICENSES',
    schema: z.array(z.string().trim().min(1).max(100)).default([]),
    takes: 'SPDX names of licenses, with * for anything, separated by commas',
    about:
      'Licenses that packages may not have, where a lockfile says it (npm, Composer): `AGPL-*,GPL-3.0*`. Each is a finding `licenses/denied`.',
  },
  gitTokens: {
    env: 'MAGPIE_GIT_TOKENS',
    schema: z
      .array(z.string().regex(/^[a-z0-9._-]+(:\d{1,5})?=([\w.+@-]{1,100}:)?[!-~]{1,500}$/i))
      .default([]),
    takes: 'host=token or host=user:token, separated by commas',
    secret: true,
    about:
      'Tokens that let scans into private repositories, sent over https to their host alone. Everybody who may scan may scan what they open.',
  },
  gitSshKey: {
    env: 'MAGPIE_GIT_SSH_KEY',
    schema: z.string().refine(isAbsolute).optional(),
    takes: 'the absolute path of a private key without a passphrase',
    about: 'Lets scans into private repositories over ssh, for everybody who may scan.',
  },
  gitSshAgent: {
    env: 'MAGPIE_GIT_SSH_AGENT',
    schema: z.string().refine(isAbsolute).optional(),
    takes: 'the absolute path of the socket of an ssh agent: that of `$SSH_AUTH_SOCK`',
    about: 'The same by the keys of an agent, for `magpie scan` at your own terminal.',
  },
  scansAtOnce: {
    ...wholeNumberSetting('MAGPIE_SCANS_AT_ONCE', 1, 64, 2),
    about:
      'Most scans that run at once; others wait their turn, and beyond 20 waiting ones a scan is refused.',
  },
  scansKept: {
    ...wholeNumberSetting('MAGPIE_SCANS_KEPT', 1, 100_000, 100),
    about: 'Most scans kept for one user, with their findings; the oldest are dropped.',
  },
} as const satisfies Record<string, Setting>;
