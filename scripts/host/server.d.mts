export interface ServerOptions {
  readonly workspace?: string;
  readonly workspaceFile?: string;
  readonly extensions?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly trust?: boolean;
  readonly testDriver?: boolean;
  readonly home?: string;
  readonly port?: number;
  readonly leaveOut?: readonly string[];
  readonly kept?: string;
}
export interface Server {
  readonly url: string;
  readonly authority: string;
  /** The address that opens the workspace. */
  readonly folderUrl: string;
  /** Absolute path of the folder that is open. */
  readonly workspace: string;
  readonly userData: string;
  readonly logFile: string;
  readonly root: string;
  stop(): Promise<void>;
}
export function startServer(options?: ServerOptions): Promise<Server>;
export function steadyPorts(count: number): Promise<number[]>;
