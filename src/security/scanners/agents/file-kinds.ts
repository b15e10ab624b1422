/** Settings files of assistants, by name. Other JSON, TOML and YAML files are recognised by their content. */
const SETTINGS_PATH =
  /(?:^|\/)(?:\.?mcp(?:[._-][\w-]{1,40})?\.json|claude_desktop_config\.json|\.claude\.json|cline_mcp_settings\.json|mcp_config\.json|mcp_settings\.json|opencode\.jsonc?|hooks\.json|plugin\.json|gemini-extension\.json|managed-settings\.json)$|(?:^|\/)\.(?:claude|gemini|qwen|cursor|vscode|zed|continue|codex|roo|kiro|amazonq|aws\/amazonq|codeium|windsurf|trae|goose|augment|lmstudio|junie)\/(?:.{0,200}\/)?[\w.-]{1,80}\.(?:jsonc?|toml|ya?ml)$|(?:^|\/)(?:zed\/settings|Code\/User\/\w{1,20}|goose\/config|opencode\/\w{1,30})\.(?:jsonc?|ya?ml)$/i;
const DATA_PATH = /\.(?:jsonc?|toml|ya?ml)$/i;
const TEXT_PATH =
  /(?:^|\/)(?:SKILL|AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|WARP|CRUSH|CONVENTIONS|SOUL|TOOLS|HEARTBEAT)\.md$|(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules|goosehints|roorules|aider\.conf\.yml|hermes\.md|github\/copilot-instructions\.md)$|\.(?:prompt|instructions|chatmode|agent)\.md$|\.mdc$|(?:^|\/)\.(?:claude|cursor|codex|gemini|github|opencode|roo|kiro|clinerules|windsurf|agents?|continue|junie|trae|amazonq|augment|qwen)\/(?:.{0,200}\/)?(?:commands?|agents?|skills?|prompts?|rules[\w-]{0,20}|steering|instructions|workflows|hooks|output-styles|chatmodes|memory|memories)\/.{1,300}\.(?:md|mdx|txt|toml)$|(?:^|\/)\.clinerules\/.{1,200}\.md$|(?:^|\/)llms(?:-full)?\.txt$/i;
const CODE_PATH =
  /\.(?:pyw?|[cm]?[jt]sx?|sh|bash|zsh|fish|command|bat|cmd|vbs|applescript|ipynb|ps1|rb|go|java|kt|cs|php|rs|pl|lua|swift)$|(?:^|\/)(?:Make|just)file$|(?:^|\/)(?:scripts?|bin|hooks)\/[^/.]{1,60}$/i;
const SKILL_FOLDER =
  /(?:^|\/)(?:skills?|[\w-]{1,60}-skills?|skills-[\w-]{1,60}|test_skills)\/(?:.{1,300}\/)?[^/]{1,200}$/i;
const PROSE_PATH = /\.(?:mdx?|markdown|rst|adoc|txt)$/i;
const SERVER_CODE =
  /\bFastMCP\b|\bfrom mcp\b|\bimport mcp\b|\bmcp\.server\b|@modelcontextprotocol\/|\bMcpServer\b|\bfastmcp\b|@\w{1,40}\.tool\b|\bmark3labs\/mcp-go\b|modelcontextprotocol\/(?:go|java|csharp|kotlin|rust)-sdk|\bio\.modelcontextprotocol\b|\bModelContextProtocol\b|\bMcpServerTool\b|\brmcp\b|\blangchain[\w.]{0,30}tools\b|@function_tool\b|\bCallToolRequestSchema\b/;

export const isAgentSettingsPath = (path: string): boolean => SETTINGS_PATH.test(path);
export const isDataPath = (path: string): boolean => DATA_PATH.test(path);
export const isAgentText = (path: string): boolean =>
  TEXT_PATH.test(path) || (PROSE_PATH.test(path) && SKILL_FOLDER.test(path));
export const isSkillText = (path: string): boolean =>
  PROSE_PATH.test(path) && SKILL_FOLDER.test(path) && !/(?:^|\/)SKILL\.md$/.test(path);
export const isCodePath = (path: string): boolean => CODE_PATH.test(path);
export const isSkillScript = (path: string): boolean => CODE_PATH.test(path) && SKILL_FOLDER.test(path);
const OWN_SKILL =
  /^(?:(?:scripts?|references?|tools|bin|lib|src|assets|templates?|hooks|prompts|agents|commands|resources|utils)\/)?[^/]{1,200}$/i;
/** Main files of MCP servers. More common names, such as `main.py`, count only in trees with few files. */
const SERVER_FILES = ['server.py', 'server.ts', 'server.js', 'mcp_server.py', 'mcp-server.ts', 'mcp.py'];
const COMMON_SERVER_FILES = [...SERVER_FILES, 'main.py', '__main__.py', 'index.ts', 'index.js', 'index.mjs'];
const MAX_SMALL_TREE = 400;
const MAX_SKILL_DEPTH = 4;
const MAX_SERVER_DEPTH = 3;

export function agentFileGroupsOf(path: string, paths: ReadonlySet<string> = new Set()): readonly string[] {
  if (isAgentSettingsPath(path)) return ['settings of assistants'];
  const isCode = isCodePath(path);
  if (!isCode && !PROSE_PATH.test(path)) return [];
  const names = path.split('/');
  const above = names.slice(-MAX_SKILL_DEPTH - 1);
  const folders = above.map((_, at) => [...names.slice(0, names.length - 1 - at), ''].join('/'));
  const skill = folders.find((folder) => paths.has(`${folder}SKILL.md`));
  if (skill !== undefined && (SKILL_FOLDER.test(path) || OWN_SKILL.test(path.slice(skill.length))))
    return [`the skill ${skill}`];
  const starts = paths.size <= MAX_SMALL_TREE ? COMMON_SERVER_FILES : SERVER_FILES;
  const server = folders
    .slice(0, isCode ? MAX_SERVER_DEPTH : 0)
    .find((folder) => starts.some((name) => paths.has(folder + name)));
  return server === undefined ? [] : [`the server ${server}`];
}

export const isMcpServerCode = (text: string): boolean => SERVER_CODE.test(text);
