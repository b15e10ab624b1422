/** An assistant of this machine, as a scan found it. Paths are those of findings: of files, or of folders with all that is in them. */
export interface InstalledAssistant {
  readonly title: string;
  readonly paths: readonly string[];
  readonly parts: readonly AssistantPart[];
}

/** A server, skill, plug-in or extension of an assistant. */
export interface AssistantPart {
  readonly kind: string;
  readonly name: string;
  /** Places of its code. */
  readonly paths: readonly string[];
  /** The file and lines that name a server. */
  readonly settings?: { readonly path: string; readonly from: number; readonly to: number };
  /** The command or address of a server, without secrets. */
  readonly start?: string;
  readonly version?: string | undefined;
  /** Why its code is not read, and what to do. */
  readonly missing?: string | undefined;
}
