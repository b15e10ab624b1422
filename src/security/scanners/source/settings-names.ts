/** The settings of an application of ASP.NET. */
export const WEB_CONFIG = /(?:^|\/)web\.config$/i;
/** The properties of an application of Spring Boot. */
export const SPRING = /(?:^|\/)application(?:-[\w.-]{1,60})?\.properties$/;
/** Pages of Web Forms say in their first line what settings say for all. */
const WEB_PAGE = /\.(?:aspx|ascx|master)$/i;

/** Whether a file may have settings that are wrong by themselves; see `settings-files.ts`. */
export function hasSettings(path: string): boolean {
  return WEB_CONFIG.test(path) || WEB_PAGE.test(path) || SPRING.test(path);
}
