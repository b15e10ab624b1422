import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

const LICENSE = 'OWASP Top 10: CC BY-SA 4.0 (categories and their CWE numbers); wording by Magpie';

/** OWASP Top 10 of 2021. Weaknesses are all that OWASP lists under each category, and those of the checks. */
export const owaspTop10of2021: Catalogue = {
  id: 'owasp-top-10-2021',
  title: 'OWASP Top 10',
  edition: '2021',
  source: 'https://owasp.org/Top10/2021/',
  license: LICENSE,
  spellings: ['owasp 2021', 'owasp10 2021', 'top10 2021', 'owasp top ten 2021'],
  controls: async () => controlsFrom(OF_2021),
};

/** OWASP Top 10 of 2025, the current one. */
export const owaspTop10of2025: Catalogue = {
  id: 'owasp-top-10-2025',
  title: 'OWASP Top 10',
  edition: '2025',
  source: 'https://owasp.org/Top10/2025/',
  license: LICENSE,
  spellings: [
    'owasp',
    'owasp top 10',
    'owasp top ten',
    'owasp top ten 2025',
    'owasp 2025',
    'owasp10 2025',
    'owasp10',
    'top10',
    'top10 2025',
  ],
  controls: async () => controlsFrom(OF_2025),
};

const OF_2021 = `
# OWASP Top 10:2021
A01:2021 Broken access control => part rights exposure source/path-traversal source/open-redirect source/trust-boundary cwe:22 cwe:23 cwe:35 cwe:59 cwe:200 cwe:201 cwe:219 cwe:264 cwe:275 cwe:276 cwe:284 cwe:285 cwe:352 cwe:359 cwe:377 cwe:402 cwe:425 cwe:441 cwe:497 cwe:538 cwe:540 cwe:548 cwe:552 cwe:566 cwe:601 cwe:639 cwe:651 cwe:668 cwe:706 cwe:862 cwe:863 cwe:913 cwe:922 cwe:1275
A02:2021 Cryptographic failures => part crypto transport-settings data-at-rest live-tls cwe:259 cwe:261 cwe:296 cwe:310 cwe:319 cwe:321 cwe:322 cwe:323 cwe:324 cwe:325 cwe:326 cwe:327 cwe:328 cwe:329 cwe:330 cwe:331 cwe:335 cwe:336 cwe:337 cwe:338 cwe:340 cwe:347 cwe:523 cwe:720 cwe:757 cwe:759 cwe:760 cwe:780 cwe:818 cwe:916
A03:2021 Injection => whole injection cwe:20 cwe:74 cwe:75 cwe:77 cwe:78 cwe:79 cwe:80 cwe:83 cwe:87 cwe:88 cwe:89 cwe:90 cwe:91 cwe:93 cwe:94 cwe:95 cwe:96 cwe:97 cwe:98 cwe:99 cwe:100 cwe:113 cwe:116 cwe:138 cwe:184 cwe:470 cwe:471 cwe:564 cwe:610 cwe:643 cwe:644 cwe:652 cwe:917
A04:2021 Insecure design => part limits cwe:73 cwe:183 cwe:209 cwe:213 cwe:235 cwe:256 cwe:257 cwe:266 cwe:269 cwe:280 cwe:311 cwe:312 cwe:313 cwe:316 cwe:419 cwe:430 cwe:434 cwe:444 cwe:451 cwe:472 cwe:501 cwe:522 cwe:525 cwe:539 cwe:579 cwe:598 cwe:602 cwe:642 cwe:646 cwe:650 cwe:653 cwe:656 cwe:657 cwe:799 cwe:807 cwe:840 cwe:841 cwe:927 cwe:1021 cwe:1173
A05:2021 Security misconfiguration => part hardening isolation privilege headers cookies open-ports source/xml-external-entities cwe:2 cwe:11 cwe:13 cwe:15 cwe:16 cwe:260 cwe:315 cwe:520 cwe:526 cwe:537 cwe:541 cwe:547 cwe:611 cwe:614 cwe:756 cwe:776 cwe:942 cwe:1004 cwe:1032 cwe:1174
A06:2021 Vulnerable and outdated components => part dependencies practice/dependency-updates cwe:937 cwe:1035 cwe:1104
A07:2021 Identification and authentication failures => part secrets source/jwt-unverified source/tls-verification-off cwe:255 cwe:259 cwe:287 cwe:288 cwe:290 cwe:294 cwe:295 cwe:297 cwe:300 cwe:302 cwe:304 cwe:306 cwe:307 cwe:346 cwe:384 cwe:521 cwe:613 cwe:620 cwe:640 cwe:798 cwe:940 cwe:1216
A08:2021 Software and data integrity failures => part deserialisation pins supply-chain cwe:345 cwe:353 cwe:426 cwe:494 cwe:502 cwe:565 cwe:784 cwe:829 cwe:830 cwe:915
A09:2021 Security logging and monitoring failures => part infrastructure/workflow-printed-secret cwe:117 cwe:223 cwe:532 cwe:778
A10:2021 Server-side request forgery => whole source/server-side-request-forgery cwe:918
`;

const OF_2025 = `
# OWASP Top 10:2025
A01:2025 Broken access control => part rights exposure source/path-traversal source/server-side-request-forgery source/open-redirect source/trust-boundary cwe:22 cwe:23 cwe:36 cwe:59 cwe:61 cwe:65 cwe:200 cwe:201 cwe:219 cwe:276 cwe:281 cwe:282 cwe:283 cwe:284 cwe:285 cwe:352 cwe:359 cwe:377 cwe:379 cwe:402 cwe:424 cwe:425 cwe:441 cwe:497 cwe:538 cwe:540 cwe:548 cwe:552 cwe:566 cwe:601 cwe:615 cwe:639 cwe:668 cwe:732 cwe:749 cwe:862 cwe:863 cwe:918 cwe:922 cwe:1275
A02:2025 Security misconfiguration => part hardening isolation privilege headers cookies open-ports source/xml-external-entities cwe:5 cwe:11 cwe:13 cwe:15 cwe:16 cwe:260 cwe:315 cwe:489 cwe:526 cwe:547 cwe:611 cwe:614 cwe:776 cwe:942 cwe:1004 cwe:1174
A03:2025 Software supply chain failures => part dependencies pins supply-chain cwe:447 cwe:1035 cwe:1104 cwe:1329 cwe:1357 cwe:1395
A04:2025 Cryptographic failures => part crypto transport-settings data-at-rest live-tls cwe:261 cwe:296 cwe:319 cwe:320 cwe:321 cwe:322 cwe:323 cwe:324 cwe:325 cwe:326 cwe:327 cwe:328 cwe:329 cwe:330 cwe:331 cwe:332 cwe:334 cwe:335 cwe:336 cwe:337 cwe:338 cwe:340 cwe:342 cwe:347 cwe:523 cwe:757 cwe:759 cwe:760 cwe:780 cwe:916 cwe:1240 cwe:1241
A05:2025 Injection => whole injection cwe:20 cwe:74 cwe:76 cwe:77 cwe:78 cwe:79 cwe:80 cwe:83 cwe:86 cwe:88 cwe:89 cwe:90 cwe:91 cwe:93 cwe:94 cwe:95 cwe:96 cwe:97 cwe:98 cwe:99 cwe:103 cwe:104 cwe:112 cwe:113 cwe:114 cwe:115 cwe:116 cwe:129 cwe:159 cwe:470 cwe:493 cwe:500 cwe:564 cwe:610 cwe:643 cwe:644 cwe:917
A06:2025 Insecure design => part limits cwe:73 cwe:183 cwe:256 cwe:266 cwe:269 cwe:286 cwe:311 cwe:312 cwe:313 cwe:316 cwe:362 cwe:382 cwe:419 cwe:434 cwe:436 cwe:444 cwe:451 cwe:454 cwe:472 cwe:501 cwe:522 cwe:525 cwe:539 cwe:598 cwe:602 cwe:628 cwe:642 cwe:646 cwe:653 cwe:656 cwe:657 cwe:676 cwe:693 cwe:799 cwe:807 cwe:841 cwe:1021 cwe:1022 cwe:1125
A07:2025 Authentication failures => part secrets source/jwt-unverified source/tls-verification-off cwe:258 cwe:259 cwe:287 cwe:288 cwe:289 cwe:290 cwe:291 cwe:293 cwe:294 cwe:295 cwe:297 cwe:298 cwe:299 cwe:300 cwe:302 cwe:303 cwe:304 cwe:305 cwe:306 cwe:307 cwe:308 cwe:309 cwe:346 cwe:350 cwe:384 cwe:521 cwe:613 cwe:620 cwe:640 cwe:798 cwe:940 cwe:941 cwe:1390 cwe:1391 cwe:1392 cwe:1393
A08:2025 Software or data integrity failures => part deserialisation pins supply-chain cwe:345 cwe:353 cwe:426 cwe:427 cwe:494 cwe:502 cwe:506 cwe:509 cwe:565 cwe:784 cwe:829 cwe:830 cwe:915 cwe:926
A09:2025 Security logging and alerting failures => part infrastructure/workflow-printed-secret cwe:117 cwe:221 cwe:223 cwe:532 cwe:778
A10:2025 Mishandling of exceptional conditions => part source/debug-on cwe:209 cwe:215 cwe:234 cwe:235 cwe:248 cwe:252 cwe:274 cwe:280 cwe:369 cwe:390 cwe:391 cwe:394 cwe:396 cwe:397 cwe:460 cwe:476 cwe:478 cwe:484 cwe:550 cwe:636 cwe:703 cwe:754 cwe:755 cwe:756
`;
