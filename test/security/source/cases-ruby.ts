import type { RuleCase } from './rule-case.ts';

const action = (body: string) =>
  `class AController < ApplicationController\n  def show\n    ${body.replaceAll('\n', '\n    ')}\n  end\nend\n`;
const both = (rule: string, found: string, clean: string): RuleCase => ({
  rule,
  found: action(found),
  clean: action(clean),
});
const hash = '#';

/** Per rule one that must be found, and one of the same shape that must not. */
export const rubyCases: readonly RuleCase[] = [
  both(
    'source/sql-injection',
    `User.where("name = '${hash}{params[:n]}'")`,
    'User.where("name = ?", params[:n])',
  ),
  both('source/command-injection', `system("ping ${hash}{params[:h]}")`, 'system("ping", params[:h])'),
  both('source/code-injection', 'eval(params[:e])', 'eval("1 + 1")'),
  both(
    'source/path-traversal',
    'send_file("/srv/" + params[:f])',
    'send_file("/srv/" + File.basename(params[:f]))',
  ),
  both(
    'source/server-side-request-forgery',
    'URI.open(params[:u])',
    'URI.open("https://api.example.com/" + params[:u])',
  ),
  both('source/cross-site-scripting', 'render html: params[:n].html_safe', 'render html: h(params[:n])'),
  both('source/unsafe-deserialisation', 'Marshal.load(cookies[:p])', 'JSON.parse(cookies[:p])'),
  both('source/open-redirect', 'redirect_to params[:next]', 'redirect_to "/a"'),
  both('source/trust-boundary', 'session[:role] = params[:role]', 'session[:n] = params[:n].to_i'),
  both('source/weak-hash', 'Digest::MD5.hexdigest(x)', 'Digest::SHA256.hexdigest(x)'),
  both('source/weak-cipher', 'OpenSSL::Cipher.new("des-cbc")', 'OpenSSL::Cipher.new("aes-256-gcm")'),
  both('source/weak-random', 'token = rand(1000)', 'delay = rand(1000)'),
  both(
    'source/tls-verification-off',
    'http.verify_mode = OpenSSL::SSL::VERIFY_NONE',
    'http.verify_mode = OpenSSL::SSL::VERIFY_PEER',
  ),
  both(
    'source/insecure-cookie',
    'cookies[:a] = { value: "b", secure: false }',
    'cookies[:a] = { value: "b", secure: true }',
  ),
  both('source/jwt-unverified', 'JWT.decode(t, nil, false)', 'JWT.decode(t, key, true)'),
  both('source/hard-coded-credentials', 'db_password = "tr0ub4dor&3x"', 'db_password = ENV["DB_PASSWORD"]'),
  both('source/template-injection', 'ERB.new(params[:t]).result', 'ERB.new("a").result'),
  both(
    'source/ldap-injection',
    'require "net/ldap"\nNet::LDAP::Filter.construct("(uid=" + params[:u] + ")")',
    'require "net/ldap"\nNet::LDAP::Filter.construct("(uid=admin)")',
  ),
  both('source/xpath-injection', `doc.xpath("//user[name='" + params[:n] + "']")`, 'doc.xpath("//user")'),
  both(
    'source/xml-external-entities',
    'Nokogiri::XML(params[:x], nil, nil, Nokogiri::XML::ParseOptions::NOENT)',
    'Nokogiri::XML(params[:x])',
  ),
  both(
    'source/jwt-hard-coded-secret',
    'JWT.encode(payload, "correct-horse-1", "HS256")',
    'JWT.encode(payload, ENV["KEY"], "HS256")',
  ),
  both(
    'source/debug-on',
    'config.consider_all_requests_local = true',
    'config.consider_all_requests_local = false',
  ),
  both('source/weak-tls-version', 'http.ssl_version = :TLSv1', 'http.ssl_version = :TLSv1_2'),
  both(
    'source/cookie-readable-by-script',
    'cookies[:a] = { value: "b", httponly: false }',
    'cookies[:a] = { value: "b", httponly: true }',
  ),
];
