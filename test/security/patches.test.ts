import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/magpie.ts';
import { scanRoom } from '../helpers/scan-room.ts';

/** For each language, a file and the rules whose findings there have a patch, by line. */
const FILES: Readonly<Record<string, readonly [line: string, rule?: string][]>> = {
  'a.py': [
    [
      'import ssl, jwt, requests; from flask import Flask; from jinja2 import Environment; app = Flask(__name__)',
    ],
    ['e = Environment(autoescape=False)', 'escaping-off'],
    ['c = ssl.SSLContext(ssl.PROTOCOL_TLSv1)', 'weak-tls-version'],
    ['app.run(debug=True)', 'debug-on'],
    ['p = jwt.decode(t, k, options={"verify_signature": False})', 'jwt-unverified'],
    ['c.verify_mode = ssl.CERT_NONE', 'tls-verification-off'],
    ['c.check_hostname = False', 'tls-verification-off'],
    ['requests.get("https://a.example", verify=False)', 'tls-verification-off'],
  ],
  'a.js': [
    ["const https = require('https'); const nunjucks = require('nunjucks');"],
    ["const session = require('express-session');"],
    ["https.createServer({ minVersion: 'TLSv1' });", 'weak-tls-version'],
    ["process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", 'tls-verification-off'],
    ["nunjucks.configure('v', { autoescape: false });", 'escaping-off'],
    ['app.use(session({ cookie: { secure: false } }));', 'insecure-cookie'],
    ['app.use(session({ cookie: { httpOnly: false } }));', 'cookie-readable-by-script'],
  ],
  'A.java': [
    ['import javax.servlet.http.*; import javax.net.ssl.*; class A { void f(Cookie c) throws Exception {'],
    ['c.setSecure(false);', 'insecure-cookie'],
    ['c.setHttpOnly(false);', 'cookie-readable-by-script'],
    ['SSLContext a = SSLContext.getInstance("SSLv3");', 'weak-tls-version'],
    ['String password = "" + new java.util.Random().nextInt();', 'weak-random'],
    ['b.setHostnameVerifier(NoopHostnameVerifier.INSTANCE);', 'tls-verification-off'],
    ['} }'],
  ],
  'a.go': [
    ['package main; import ("crypto/tls"; "net/http"); func f() {'],
    ['_ = &tls.Config{InsecureSkipVerify: true}', 'tls-verification-off'],
    ['_ = &tls.Config{MinVersion: tls.VersionTLS10}', 'weak-tls-version'],
    ['_ = &tls.Config{MinVersion: tls.VersionSSL30}', 'weak-tls-version'],
    ['_ = &http.Cookie{Name: "a", Secure: false}', 'insecure-cookie'],
    ['_ = &http.Cookie{Name: "a", HttpOnly: false}', 'cookie-readable-by-script'],
    ['}'],
  ],
  'a.php': [
    ['<?php'],
    ['curl_setopt($c, CURLOPT_SSL_VERIFYPEER, 0);', 'tls-verification-off'],
    ['curl_setopt($c, CURLOPT_SSL_VERIFYHOST, false);', 'tls-verification-off'],
    ["$s = stream_context_create(['ssl' => ['verify_peer' => false]]);", 'tls-verification-off'],
    ["ini_set('display_errors', 1);", 'debug-on'],
    ["setcookie('a', 'b', ['secure' => false]);", 'insecure-cookie'],
    ['$token = rand(1, 100);', 'weak-random'],
  ],
  'a.rb': [
    ['http.verify_mode = OpenSSL::SSL::VERIFY_NONE', 'tls-verification-off'],
    ['x = YAML.load(params[:x])', 'unsafe-deserialisation'],
    ["cookies[:a] = { value: 'x', secure: false }", 'insecure-cookie'],
    ["cookies[:a] = { value: 'x', httponly: false }", 'cookie-readable-by-script'],
    ['config.consider_all_requests_local = true', 'debug-on'],
    ['http.ssl_version = :TLSv1', 'weak-tls-version'],
  ],
  'A.cs': [
    ['using System.Net; using System.Xml; using Microsoft.AspNetCore.Http; class A { void F() {'],
    ['ServicePointManager.SecurityProtocol = SecurityProtocolType.Tls;', 'weak-tls-version'],
    ['var s = new XmlReaderSettings { DtdProcessing = DtdProcessing.Parse };', 'xml-external-entities'],
    ['var o = new CookieOptions { Secure = false };', 'insecure-cookie'],
    ['var j = new JsonSerializerSettings { TypeNameHandling = TypeNameHandling.All };', 'unsafe-loader'],
    ['var q = new TokenValidationParameters { ValidateIssuerSigningKey = false };', 'jwt-unverified'],
    ['} }'],
  ],
};
const folder = temporaryFolder();
afterAll(() => folder.remove());

async function scan(files: Readonly<Record<string, readonly string[]>>) {
  const [tree, data] = [join(folder.path, 'tree'), join(folder.path, 'data')];
  for (const path of [tree, data]) mkdirSync(path, { recursive: true });
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(tree, name), lines.join('\n'));
  const { room, close } = await scanRoom({ folder: data, real: true });
  try {
    const watch = { signal: AbortSignal.timeout(120_000), progress() {} };
    const { id } = await room.scan('ann', { repository: tree, deep: true, dependencies: false }, {}, watch);
    return (await room.listFindings('ann', id)).map((one) => ({
      place: `${one.path}:${one.line} ${one.id.replace('source/', '')}`,
      patch: one.patch,
    }));
  } finally {
    await close();
  }
}

test('each language has patches for five rules or more, and a patched line has the finding no more', async () => {
  const before = Object.fromEntries(
    Object.entries(FILES).map(([name, lines]) => [name, lines.map(([line]) => line)]),
  );
  const wanted = Object.entries(FILES).flatMap(([name, lines]) =>
    lines.flatMap(([, rule], at) => (rule === undefined ? [] : [`${name}:${at + 1} ${rule}`])),
  );
  const found = await scan(before);
  const patches = new Map(found.flatMap(({ place, patch }) => (patch ? [[place, patch] as const] : [])));
  expect({
    missing: wanted.filter((one) => !patches.has(one)),
    more: [...patches.keys()].filter((one) => !wanted.includes(one)),
  }).toEqual({ missing: [], more: [] });
  const after = Object.fromEntries(
    Object.entries(before).map(([name, lines]) => [
      name,
      lines.map((line) => [...patches.values()].find((one) => one.before === line)?.after ?? line),
    ]),
  );
  const left = (await scan(after)).map(({ place }) => place);
  expect(left.filter((place) => patches.has(place))).toEqual([]);
});
