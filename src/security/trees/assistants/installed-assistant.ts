/** Assistant found on this machine. Paths are those of findings: files, or folders with all their contents. */
export interface InstalledAssistant {
  readonly title: string;
  readonly paths: readonly string[];
  readonly parts: readonly AssistantPart[];
}

export interface AssistantPart {
  readonly kind: string;
  readonly name: string;
  readonly paths: readonly string[];
  /** The file and lines that name a server. */
  readonly settings?: { readonly path: string; readonly from: number; readonly to: number };
  /** The command or address of a server, without secrets. */
  readonly start?: string;
  readonly version?: string | undefined;
  /** Why its code is not read, and what to do. */
  readonly missing?: string | undefined;
}
