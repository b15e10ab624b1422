import { expect, test } from 'vitest';
import { parseNamedPackages } from '../../../src/security/packages/named-package.ts';

test.each([
  ['Debian:12/openssl@3.0.9-1', 'Debian:12 openssl 3.0.9-1'],
  ['debian:12 openssl@1:3.0~rc1-1+deb12u1', 'Debian:12 openssl 1:3.0~rc1-1+deb12u1'],
  ['Alpine:3.18/busybox@1.36.1-r2', 'Alpine:v3.18 busybox 1.36.1-r2'],
  ['Ubuntu:Pro:18.04:LTS/git@1:2.17.1-1ubuntu0.18', 'Ubuntu:Pro:18.04:LTS git 1:2.17.1-1ubuntu0.18'],
  [
    'SUSE:Linux Enterprise Server 15 SP5/kernel-default@5.14.21-150500',
    'SUSE:Linux Enterprise Server 15 SP5 kernel-default 5.14.21-150500',
  ],
  [
    'Red Hat:enterprise_linux:9::appstream/nginx@1:1.20.1-14.el9',
    'Red Hat:enterprise_linux:9::appstream nginx 1:1.20.1-14.el9',
  ],
  ['TuxCare:npm/@scope/x@1.0.0', 'TuxCare:npm @scope/x 1.0.0'],
  ['Wolfi/curl@8.1.2-r0', 'Wolfi curl 8.1.2-r0'],
  ['FreeBSD:ports/curl@8.1.2_1,1', 'FreeBSD:ports curl 8.1.2_1,1'],
  ['CRAN commonmark@1.7', 'CRAN commonmark 1.7'],
  ['Hackage/aeson@1.5.6.0', 'Hackage aeson 1.5.6.0'],
  ['Julia HTTP@1.9.5', 'Julia HTTP 1.9.5'],
  ['ConanCenter/openssl@1.1.1t', 'ConanCenter openssl 1.1.1t'],
  ['GitHub Actions/tj-actions/changed-files@44.5.1', 'GitHub Actions tj-actions/changed-files 44.5.1'],
  ['linux kernel@6.1.5', 'Linux Kernel 6.1.5'],
  ['Android/platform/frameworks/base@13:2023-01-01', 'Android platform/frameworks/base 13:2023-01-01'],
  ['pkg:deb/debian/openssl@3.0.9-1?arch=amd64&distro=debian-12.5', 'Debian:12 openssl 3.0.9-1'],
  ['pkg:apk/alpine/curl@8.1.2-r0?distro=alpine-3.18.4', 'Alpine:v3.18 curl 8.1.2-r0'],
  ['pkg:apk/wolfi/curl@8.1.2-r0', 'Wolfi curl 8.1.2-r0'],
  [
    'pkg:rpm/redhat/openssl@3.0.7-6.el9?epoch=1&distro=rhel-9.2',
    'Red Hat:enterprise_linux:9 openssl 1:3.0.7-6.el9',
  ],
  ['pkg:cran/commonmark@1.7', 'CRAN commonmark 1.7'],
  ['pkg:npm/%40s/a@1.0.0#part', 'npm @s/a 1.0.0'],
  ['Maven:org.acme:a@1.0', 'Maven org.acme:a 1.0'],
])('%s is read as %s', (given, expected) => {
  expect(
    parseNamedPackages(given).map(({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`),
  ).toEqual([expected]);
});

test.each([
  ['Debian/openssl@3.0.9-1', /needs a release of Debian, .* such as Debian:12\/openssl@3\.0\.9-1$/],
  ['pkg:deb/ubuntu/git@1.0-1', /needs a release of Ubuntu, .* such as Ubuntu:22\.04\/git@1\.0-1$/],
  ['pkg:rpm/opensuse/git@1.0-1?distro=opensuse-leap-15.5', /such as openSUSE:Leap 15\.6\/git@1\.0-1$/],
  ['Debian:12/openssl@>=3', /">=3", which is not a single version/],
  ['npm a@^1.0.0', /which is not a single version/],
  ['Debian:12', /has no name/],
  ['Debian:12/openssl', /has no version/],
  [
    'pkg:gentoo/x@1',
    /no advisories are known for packages of "gentoo": package takes one of npm, .*Debian.*OSS-Fuzz/,
  ],
])('%s is refused: %s', (given, why) => {
  expect(() => parseNamedPackages(given)).toThrow(why);
});
