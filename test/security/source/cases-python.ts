import type { RuleCase } from './rule-case.ts';

const FLASK =
  'from flask import Flask, request, redirect, session, make_response\napp = Flask(__name__)\n@app.route("/x")\ndef view():\n';
const flask = (...lines: string[]) => FLASK + lines.map((line) => `    ${line}\n`).join('');

/** Per rule one that must be found, and one of the same shape that must not. */
export const pythonCases: readonly RuleCase[] = [
  {
    rule: 'source/sql-injection',
    found: flask(
      'import sqlite3',
      'cur = sqlite3.connect("x").cursor()',
      `cur.execute("select * from t where a = '" + request.args["a"] + "'")`,
    ),
    clean: flask(
      'import sqlite3',
      'cur = sqlite3.connect("x").cursor()',
      'cur.execute("select * from t where a = ?", (request.args["a"],))',
    ),
  },
  {
    rule: 'source/command-injection',
    found: flask('import subprocess', 'subprocess.run(f"ping {request.args[\'h\']}", shell=True)'),
    clean: flask('import subprocess', 'subprocess.run(["ping", request.args["h"]])'),
  },
  {
    rule: 'source/code-injection',
    found: flask('eval(request.form["e"])'),
    clean: flask('import ast', 'ast.literal_eval(request.form["e"])'),
  },
  {
    rule: 'source/template-injection',
    found: flask(
      'from flask import render_template_string',
      'return render_template_string("<b>" + request.args["n"])',
    ),
    clean: flask(
      'from flask import render_template_string',
      'return render_template_string("<b>{{ n }}", n=request.args["n"])',
    ),
  },
  {
    rule: 'source/ldap-injection',
    found: flask(
      'import ldap3',
      'conn = ldap3.Connection("s")',
      'conn.search("ou=users", f"(uid={request.args[\'u\']})")',
    ),
    clean: flask(
      'import ldap3',
      'from ldap3.utils.conv import escape_filter_chars',
      'conn = ldap3.Connection("s")',
      'conn.search("ou=users", f"(uid={escape_filter_chars(request.args[\'u\'])})")',
    ),
  },
  {
    rule: 'source/xpath-injection',
    found: flask(
      'import lxml.etree',
      'root = lxml.etree.parse("a.xml")',
      'root.xpath("//a[@id=\'" + request.args["i"] + "\']")',
    ),
    clean: flask(
      'import lxml.etree',
      'root = lxml.etree.parse("a.xml")',
      'root.xpath("//a[@id=$i]", i=request.args["i"])',
    ),
  },
  {
    rule: 'source/path-traversal',
    found: flask('open("/srv/" + request.args["f"])'),
    clean: flask(
      'import pathlib',
      'base = pathlib.Path("/srv")',
      'p = (base / request.args["f"]).resolve()',
      'if not str(p).startswith("/srv/"):',
      '    return "no"',
      'open(p)',
    ),
  },
  {
    rule: 'source/server-side-request-forgery',
    found: flask('import requests', 'requests.get(request.args["u"])'),
    clean: flask('import requests', 'requests.get("https://api.example.com/items/" + request.args["u"])'),
  },
  {
    rule: 'source/cross-site-scripting',
    found: flask('return "<b>" + request.args["n"]'),
    clean: flask('import html', 'return "<b>" + html.escape(request.args["n"])'),
  },
  {
    rule: 'source/unsafe-deserialisation',
    found: flask('import pickle', 'pickle.loads(request.data)'),
    clean: flask('import pickle', 'pickle.loads(open("own.pickle", "rb").read())'),
  },
  {
    rule: 'source/unsafe-loader',
    found: 'import yaml\nyaml.load(text)\n',
    clean: 'import yaml\nyaml.load(text, Loader=yaml.SafeLoader)\n',
  },
  {
    rule: 'source/weak-hash',
    found: 'import hashlib\nhashlib.md5(b"a")\n',
    clean: 'import hashlib\nhashlib.md5(b"a", usedforsecurity=False)\nhashlib.sha256(b"a")\n',
  },
  {
    rule: 'source/weak-cipher',
    found: 'from Crypto.Cipher import DES\nDES.new(key)\n',
    clean: 'from Crypto.Cipher import AES\nAES.new(key, AES.MODE_GCM)\n',
  },
  {
    rule: 'source/weak-random',
    found: 'import random\ntoken = str(random.random())\n',
    clean: 'import random, secrets\ntoken = secrets.token_hex()\ndelay = random.random()\n',
  },
  {
    rule: 'source/tls-verification-off',
    found: 'import requests\nrequests.get("https://a", verify=False)\n',
    clean: 'import requests\nrequests.get("https://a", verify=True)\n',
  },
  {
    rule: 'source/weak-tls-version',
    found: 'import ssl\nssl.SSLContext(ssl.PROTOCOL_TLSv1)\n',
    clean: 'import ssl\nssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)\n',
  },
  {
    rule: 'source/open-redirect',
    found: flask('return redirect(request.args["next"])'),
    clean: flask(
      'from urllib.parse import urlparse',
      'url = urlparse(request.args["next"])',
      'if url.netloc not in ["example.com"]:',
      '    return "no"',
      'return redirect(url.geturl())',
    ),
  },
  {
    rule: 'source/xml-external-entities',
    found: flask(
      'from lxml import etree',
      'etree.fromstring(request.data, etree.XMLParser(resolve_entities=True))',
    ),
    clean: flask(
      'from lxml import etree',
      'etree.fromstring(request.data, etree.XMLParser(resolve_entities=False))',
    ),
  },
  {
    rule: 'source/trust-boundary',
    found: flask('session["role"] = request.form["role"]'),
    clean: flask('session["n"] = int(request.form["n"])'),
  },
  {
    rule: 'source/debug-on',
    found: 'from flask import Flask\napp = Flask("x")\napp.run(debug=True)\n',
    clean: 'from flask import Flask\napp = Flask("x")\napp.run(debug=False)\n',
  },
  {
    rule: 'source/hard-coded-credentials',
    found: 'db_password = "tr0ub4dor&3x"\n',
    clean: 'import os\ndb_password = os.environ["DB_PASSWORD"]\npassword = "changeme"\n',
  },
  {
    rule: 'source/insecure-cookie',
    found: flask('r = make_response("")', 'r.set_cookie("a", "b", secure=False)'),
    clean: flask('r = make_response("")', 'r.set_cookie("session", "b", secure=True)'),
  },
  {
    rule: 'source/cookie-readable-by-script',
    found: flask('r = make_response("")', 'r.set_cookie("a", "b", secure=True, httponly=False)'),
    clean: flask('r = make_response("")', 'r.set_cookie("a", "b", secure=True, httponly=True)'),
  },
  {
    rule: 'source/jwt-unverified',
    found: 'import jwt\njwt.decode(t, options={"verify_signature": False})\n',
    clean: 'import jwt\njwt.decode(t, key, algorithms=["RS256"])\n',
  },
  {
    rule: 'source/jwt-hard-coded-secret',
    found: 'import jwt\njwt.encode(claims, "s3cr3t-s3cr3t")\n',
    clean: 'import jwt\njwt.encode(claims, settings.SECRET_KEY)\n',
  },
];
