import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** What a program's own user may switch off is low where the option is asked for, and nowhere else. */

const scanner = createSourceScanner();

async function found(path: string, text: string) {
  const findings = await scanner.scan({ path, text }, { deep: false });
  return findings
    .filter(({ id }) => id === 'source/tls-verification-off')
    .map(({ line, severity }) => `${line} ${severity}`);
}

test.each([
  [
    'a.php',
    "<?php\nfunction verify(array &$o, $value) {\n  if ($value === false) {\n    $o['ssl']['verify_peer'] = false;\n  }\n}\n",
    ['4 low'],
  ],
  ['a.php', "<?php\n$o['ssl']['verify_peer'] = false;\n", ['2 high']],
  [
    'a.php',
    "<?php\nif (App::environment('local')) {\n  $request = $request->withoutVerifying();\n}\nif (App::environment('production')) {\n  $request = $request->withoutVerifying();\n}\n",
    ['3 low', '6 high'],
  ],
  [
    'a.py',
    'import requests\ndef get(url, insecure):\n    if insecure:\n        return requests.get(url, verify=False)\n    return requests.get(url, verify=False)\n',
    ['4 low', '5 high'],
  ],
  [
    'a.py',
    'import ssl\nclass A:\n    def go(self, c):\n        if not self.verify:\n            c.check_hostname = False\n',
    ['5 low'],
  ],
  [
    'a.go',
    'package a\nimport "crypto/tls"\nfunc c(o Options, url string) {\n\tt := &tls.Config{}\n\tif o.Insecure {\n\t\tt.InsecureSkipVerify = true\n\t}\n\tif url != "" {\n\t\tt.InsecureSkipVerify = true\n\t}\n}\n',
    ['6 low', '9 high'],
  ],
  [
    'a.js',
    'function f(o, agent) {\n  if (o.strictSSL === false) agent.rejectUnauthorized = false;\n}\n',
    ['2 low'],
  ],
])('%#: %s', async (path, text, expected) => {
  expect(await found(path, text)).toEqual(expected);
});
