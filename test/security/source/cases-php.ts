import type { RuleCase } from './rule-case.ts';

const both = (rule: string, found: string, clean: string): RuleCase => ({
  rule,
  found: `<?php\n${found}\n`,
  clean: `<?php\n${clean}\n`,
});

/** Per rule one that must be found, and one of the same shape that must not. */
export const phpCases: readonly RuleCase[] = [
  both(
    'source/sql-injection',
    '$a = $_GET["a"];\nmysqli_query($db, "select * from t where a = \'$a\'");',
    '$a = mysqli_real_escape_string($db, $_GET["a"]);\nmysqli_query($db, "select 1");',
  ),
  both(
    'source/command-injection',
    'system("ping " . $_GET["h"]);',
    'system("ping " . escapeshellarg($_GET["h"]));',
  ),
  both(
    'source/code-injection',
    'eval($_POST["e"]);',
    'if (in_array($_GET["p"], ["a", "b"])) { include $_GET["p"]; }',
  ),
  both(
    'source/path-traversal',
    'readfile("/srv/" . $_GET["f"]);',
    'readfile("/srv/" . basename($_GET["f"]));',
  ),
  both(
    'source/server-side-request-forgery',
    '$c = curl_init($_GET["u"]);',
    '$c = curl_init("https://api.example.com/" . $_GET["u"]);',
  ),
  both(
    'source/cross-site-scripting',
    'echo "<b>" . $_GET["n"];',
    'echo "<b>" . htmlspecialchars($_GET["n"]);',
  ),
  both('source/unsafe-deserialisation', 'unserialize($_COOKIE["p"]);', 'json_decode($_COOKIE["p"]);'),
  both('source/open-redirect', 'header("Location: " . $_GET["next"]);', 'header("Location: /a");'),
  both('source/trust-boundary', '$_SESSION["role"] = $_POST["role"];', '$_SESSION["n"] = (int) $_POST["n"];'),
  both('source/weak-hash', '$h = md5($x);', '$h = hash("sha256", $x);'),
  both(
    'source/weak-cipher',
    'openssl_encrypt($d, "des-ede3-cbc", $k);',
    'openssl_encrypt($d, "aes-256-gcm", $k);',
  ),
  both('source/weak-random', '$token = mt_rand();', '$token = random_bytes(16); $delay = mt_rand();'),
  both(
    'source/tls-verification-off',
    'curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false);',
    'curl_setopt($c, CURLOPT_SSL_VERIFYPEER, true);',
  ),
  both('source/debug-on', 'phpinfo();', 'phpversion();'),
  both(
    'source/insecure-cookie',
    'setcookie("a", "b", 0, "/", "", false, true);',
    'setcookie("a", "b", 0, "/", "", true, true);',
  ),
  both(
    'source/hard-coded-credentials',
    '$db_password = "tr0ub4dor&3x";',
    '$db_password = getenv("DB_PASSWORD");',
  ),
  both(
    'source/xpath-injection',
    '$x = new DOMXPath($d);\n$x->query("//a[@id=\'" . $_GET["i"] . "\']");',
    '$x = new DOMXPath($d);\n$x->query("//a");',
  ),
  both(
    'source/ldap-injection',
    'ldap_search($c, "ou=a", "(uid=" . $_GET["u"] . ")");',
    'ldap_search($c, "ou=a", "(uid=" . ldap_escape($_GET["u"]) . ")");',
  ),
  both(
    'source/template-injection',
    '$twig->createTemplate($_GET["t"]);',
    '$twig->createTemplate("Hello {{ name }}");',
  ),
  both(
    'source/xml-external-entities',
    'simplexml_load_string($_POST["x"], "SimpleXMLElement", LIBXML_NOENT);',
    'simplexml_load_string($_POST["x"], "SimpleXMLElement", LIBXML_NONET);',
  ),
  both(
    'source/cookie-readable-by-script',
    'setcookie("a", $b, 0, "/", "", true, false);',
    'setcookie("a", $b, 0, "/", "", true, true);',
  ),
  both(
    'source/jwt-hard-coded-secret',
    'use Firebase\\JWT\\JWT;\nJWT::encode($claims, "correct-horse-1", "HS256");',
    'use Firebase\\JWT\\JWT;\nJWT::encode($claims, getenv("KEY"), "HS256");',
  ),
];
