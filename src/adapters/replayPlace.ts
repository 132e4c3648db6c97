import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { maskedFiles } from '../core/security/maskedFiles';
import type { Environment } from '../core/tools/environment';
import { AgentTerminal } from './agentTerminal';
import { copyWorkspace } from './copyWorkspace';
import { diskFiles } from './diskFiles';
import { diskMemory } from './diskMemory';
import { diskScripts } from './diskScripts';
import { learnDotenv } from './dotenvSecrets';
import { pastSessions } from './pastSessions';
import { ripgrepSearch } from './ripgrep';
import type { SandboxWanted } from './sandbox';
import { Sessions } from './sessions';

export interface ReplayPlace {
  readonly environment: Environment;
  /** What a person should know of it, in words. */
  readonly notes: readonly string[];
  /** Ends what runs there, and removes the copy unless it is kept. */
  dispose(keep?: boolean): Promise<void>;
}

/** Where a run is replayed: a copy of `folder`, or the folder itself. Notes and sessions of the person are neither read nor changed there. */
export async function replayPlace(folder: string, { inPlace = false, sandbox = 'auto', onNotice }: { readonly inPlace?: boolean; readonly sandbox?: SandboxWanted; onNotice(text: string): void }): Promise<ReplayPlace> {
  const copy = inPlace ? undefined : await copyWorkspace(folder);
  const root = copy?.root ?? fs.realpathSync(folder);
  const beside = copy?.beside ?? fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-replay-')));
  learnDotenv([root]);
  const outputFolder = path.join(beside, 'outputs');
  const terminal = new AgentTerminal({ cwd: root, folders: [root], wanted: sandbox, outputFolder, onNotice });
  const places = { folders: [root], readableFolders: [outputFolder] };
  return {
    notes: copy?.notes ?? [],
    environment: {
      root, terminal, files: maskedFiles(diskFiles(places)), search: ripgrepSearch(places), scripts: diskScripts(root),
      memory: diskMemory(path.join(beside, 'memory')), pastSessions: pastSessions({ sessions: new Sessions(path.join(beside, 'sessions')), cwd: root, except: '' }),
    },
    async dispose(keep = false) {
      await terminal.dispose();
      if (!keep || inPlace) fs.rmSync(beside, { recursive: true, force: true });
    },
  };
}
