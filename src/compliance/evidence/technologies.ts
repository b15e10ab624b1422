export const TECHNOLOGIES = ['ldap', 'xpath', 'xml'] as const;
export type TechnologyName = (typeof TECHNOLOGIES)[number];

export interface Technology {
  readonly name: TechnologyName;
  readonly subject: string;
  readonly state: 'present' | 'absent' | 'unknown';
  readonly detail: string;
}

export const TECHNOLOGY_TITLES: Readonly<Record<TechnologyName, string>> = {
  ldap: 'LDAP',
  xpath: 'XPath',
  xml: 'XML',
};

export const TECHNOLOGY_BY_CHECK: ReadonlyMap<string, TechnologyName> = new Map([
  ['source/ldap-injection', 'ldap'],
  ['source/xpath-injection', 'xpath'],
  ['source/xml-external-entities', 'xml'],
]);

export interface TechnologyFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export type FirstFileByTechnology = Partial<Record<TechnologyName, string>>;

const SHOWN_BY: Readonly<Record<TechnologyName, RegExp>> = {
  ldap: /ldap|active_?directory|directory_?services|directorysearcher|directoryentry|javax\.naming|jakarta\.naming|jndi|initialdircontext/i,
  xpath:
    /xpath|xquery|xslt?\b|selectnodes|selectsinglenode|document\.evaluate|e(?:lement)?tree|lxml|nokogiri|simplexml|rexml|libxml|domdocument|xmldom|selenium|htmlunit/i,
  xml: /xml(?!httprequest|ns\b|http\b)|xpath|xslt?\b|xsd\b|\bsoap|\bwsdl|saml|\brss\b|\batom\b|feed_?parser|feedjira|\bfeeds?\b|etree|beautifulsoup|\bbs4\b|\bsax|saxon|stax\b|dom4j|\bjaxb|xstream|xmldecoder|nokogiri|\box\b|cheerio|jsdom|domparser|domdocument|expat|xerces|docx|xlsx|pptx|openpyxl|\bodt\b|\bods\b|apache\.poi|\bpoi-|phpspreadsheet|phpword|\bexcel|spreadsheet|office|epub|webdav|caldav|carddav|propfind|svg2|svglib|cairosvg|sitemap|opml|\bkml\b|\bgpx\b|plist|drools|jasper|velocity|\bdita\b|\bsvn\b|doctype/i,
};
/** Patterns for web pages and documents. They are strict, because prose may only mention a technology. */
const SHOWN_IN_PAGES: Readonly<Record<TechnologyName, RegExp>> = {
  ldap: /\bldapjs\b/i,
  xpath: /xpathresult|xpathevaluator|document\.evaluate|selectsinglenode/i,
  xml: /domparser|parsexml|activexobject|xsltprocessor/i,
};

const PAGE = /\.(?:html?|xhtml|md|mdx|markdown|rst|adoc|css|scss|less|po|pot)$/i;
const NO_CODE =
  /(?:^|\/)(?:licen[cs]e|copying|notice|authors|changelog|changes|news|readme|contributing|code_of_conduct)[^/]{0,60}$|\.(?:png|jpe?g|gif|ico|webp|bmp|svg|woff2?|ttf|eot|otf|mp[34]|webm|wav|ogg|pdf|map|lock|csv|tsv|sum)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|\.gitignore|\.gitattributes|\.editorconfig)$/i;
/** Matches minified browser libraries, which cannot read external entities or query a server. */
const OF_BROWSERS = /(?:^|\/)(?:assets|public|static|wwwroot)\/(?:[^/]{1,100}\/){0,8}[^/]{1,100}\.min\.js$/i;
const BUILT =
  /\.(?:exe|dll|so|dylib|class|jar|war|ear|a|lib|o|obj|pyc|pyo|node|wasm|phar|zip|tgz|gz|whl|nupkg|gem|egg)$/i;
const PLAIN_TEXT = /\.txt$/i;
const DEPENDENCIES = /(?:^|\/)(?:requirements|constraints)[^/]{0,60}\.txt$/i;
const XML_FILE = /\.(?:xml|xsd|xslt?|wsdl|dtd|rng)$/i;
/** Matches configuration files of build tools, which do not show that the application itself reads XML. */
const BUILD_FILE = /(?:^|\/)(?:pom|build|ivy|checkstyle[^/]{0,40}|phpunit|phpcs|nuget)\.xml$/i;

export const canShowTechnologies = (path: string): boolean =>
  !NO_CODE.test(path) && !OF_BROWSERS.test(path) && (!PLAIN_TEXT.test(path) || DEPENDENCIES.test(path));

export const isCompiledFile = (path: string): boolean => BUILT.test(path);

export function findTechnologies(files: readonly TechnologyFile[]): FirstFileByTechnology {
  const seen: FirstFileByTechnology = {};
  for (const { path, content } of files) {
    const text = new TextDecoder().decode(content);
    const patterns = PAGE.test(path) ? SHOWN_IN_PAGES : SHOWN_BY;
    for (const name of TECHNOLOGIES) if (patterns[name].test(text)) seen[name] ??= path;
    if (XML_FILE.test(path) && !BUILD_FILE.test(path)) seen.xml ??= path;
  }
  return seen;
}
