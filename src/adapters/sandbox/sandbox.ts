import type { FolderStamps } from '../storage/folderStamps';
import type { SandboxLimits } from './limits';

/** Value of the setting `sandbox`: `auto` runs commands without a sandbox if there is none, `on` refuses them then. */
export type SandboxSetting = 'auto' | 'on' | 'off';

/**
 * Variables with which package managers fail at once where there is no network. By default npm tries for more than a
 * minute, without output.
 */
export const noRetries: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  PIP_RETRIES: '0',
  UV_HTTP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
};

interface SandboxPlaces {
  /** Absolute folders outside the workspace. */
  readonly readable: string;
  readonly writable: string;
  /** The workspace is read-only and there is no network. */
  readonly readOnly?: true;
}

/** Absolute paths. */
export interface Guards {
  readonly readOnly: readonly string[];
  /** Those at the top of a workspace folder that exist only so that nothing is created in their place. */
  readonly placeholders: readonly string[];
}

/** Starts a shell with restrictions that also apply to everything that it starts. */
export interface Sandbox {
  /** Returns the command line that runs `program` inside. */
  wrap(
    program: string,
    programArguments: readonly string[],
    places: SandboxPlaces,
  ): { readonly program: string; readonly arguments: readonly string[] };
  /**
   * Starts its helper processes; call it before `wrap`. Returns a message for people about what could not be started.
   */
  begin(): Promise<string | undefined>;
  /** Variables for programs inside that account for what they cannot write or reach. */
  readonly environment: Readonly<Record<string, string>>;
  /** Workspace folders that programs inside can write: absolute, without links. */
  readonly folders: readonly string[];
  /** False if programs inside cannot have a terminal. */
  readonly terminal?: false;
  /** True if the temporary folders inside are private and initially empty, and processes outside are invisible. */
  readonly ownTemporary?: true;
  /** True if ports that programs inside open cannot be reached from outside. */
  readonly ownPorts?: true;
  /** Domains that programs inside may reach; empty if there is no network at all. */
  readonly domains: readonly string[];
  /** Limits for programs inside, if any, and the folders whose disks count. */
  readonly bounded?: { readonly limits: SandboxLimits; readonly folders: readonly string[] };
  /** True if the system refuses the calls with which a stopped program could still change files. */
  readonly refusesCalls?: true;
  /**
   * Call it before a command. The returned function returns the absolute paths that appeared in the workspace since and
   * that other programs obey; with `sinceLast`, since its last result. `stamps`: of the same folders, taken after the
   * command.
   */
  watchObeyed(sinceLast: boolean): (stamps?: FolderStamps) => string[];
  /** What the shell that was started last may not write in the workspace. */
  readonly guards: Guards;
  /** Removes what was added to the workspace, after the last process inside ended. */
  end(): void;
}

/** `none`: why, and what to do about it. */
export type SandboxOrNot =
  | {
      readonly sandbox: Sandbox;
      /** Why allowed domains cannot be reached, and what to do. */
      readonly unreachable?: string;
      /** What this system cannot do that sandboxes elsewhere can, and the consequences. */
      readonly weaker?: string;
    }
  | {
      readonly none: string;
      readonly next: string;
      /**
       * True if there is a sandbox that could not start for lack of system resources: then nothing may run without it,
       * unless the sandbox is disabled.
       */
      readonly exhausted?: true;
    };
