import type { FolderStamps } from '../storage/folderStamps';
import type { SandboxLimits } from './limits';

export type SandboxWanted = 'auto' | 'on' | 'off';

export interface SandboxPlaces {
  /** Folders beside the workspace; absolute. */
  readonly readable: string;
  readonly writable: string;
  /** The workspace cannot be written, and no domain reached. */
  readonly readOnly?: true;
}

/** Starts a shell so that it, and all that it ever starts, can do less. */
export interface Sandbox {
  /** The command line that runs `program` inside. */
  wrap(
    program: string,
    programArguments: readonly string[],
    places: SandboxPlaces,
  ): { readonly program: string; readonly arguments: readonly string[] };
  /** Starts what it needs beside it; before `wrap`. Says what of it could not be started, in words for a person. */
  begin(): Promise<string | undefined>;
  /** What programs inside need to be told, because of what they cannot write or reach. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folders of the workspace, which programs inside can write: absolute, without links. */
  readonly folders: readonly string[];
  /** False where programs inside cannot have a terminal. */
  readonly terminal?: false;
  /** True where the temporary folders that programs inside see are empty at first and nobody else's. */
  readonly ownTemporary?: true;
  /** The domains that programs inside may reach; none where there is no network at all. */
  readonly domains: readonly string[];
  /** How much programs inside may use, where that is bounded, and the folders whose disk counts. */
  readonly bounded?: { readonly limits: SandboxLimits; readonly folders: readonly string[] };
  /** True where the system refuses the calls with which a program that was stopped could still change files. */
  readonly refusesCalls?: true;
  /**
   * Call it before a command. The returned function answers with the absolute paths of what appeared in the workspace
   * since and other programs obey; with `sinceLast`, since its last answer. `stamps`: of the same folders, requested
   * after the command.
   */
  watchObeyed(sinceLast: boolean): (stamps?: FolderStamps) => string[];
  /** Takes back what was put into the workspace, after the last process inside ended. */
  end(): void;
}

/** `none`: why, and what to do about it. */
export type SandboxOrNot =
  | {
      readonly sandbox: Sandbox;
      /** Why allowed domains cannot be reached, and what to do. */
      readonly unreachable?: string;
      /** What this system cannot do that sandboxes elsewhere do, and what follows. */
      readonly weaker?: string;
    }
  | {
      readonly none: string;
      readonly next: string;
      /**
       * There is one, and the system had not enough left to start it: nothing may run
       * without it then, but where it is switched off.
       */
      readonly exhausted?: true;
    };
