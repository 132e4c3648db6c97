import fs from 'node:fs';
import path from 'node:path';
import { readHookFiles } from '../../adapters/hooks/hookFiles';
import { isTrustedFolder, trustFolders } from '../../adapters/sessions/trustedFolders';
import { worktreeAround } from '../../adapters/sessions/worktrees';
import { findSkillFiles } from '../../adapters/skills/findSkillFiles';
import { serverLocations } from '../../core/mcp/locations';
import { shownToPeople } from '../../core/text/shownName';
import type { UserSettings } from '../../core/settings/table';
import { ConsentNeeded, isAttended } from './ask';

/**
 * What a folder brings that needs approval: skills, which instruct the agent; hooks, which run at certain moments; MCP
 * servers, which add tools.
 */
type Agreeable = 'skills' | 'hooks' | 'mcp';

/** What a run approves without asking. `hooks` and `allowMcp` are older names for two of them. */
interface ConsentFlags {
  readonly agree?: readonly (Agreeable | 'all')[];
  readonly hooks?: boolean;
  readonly allowMcp?: boolean;
}

export const agreesTo = ({ agree = [], hooks, allowMcp }: ConsentFlags, what: Agreeable): boolean =>
  agree.includes('all') ||
  agree.includes(what) ||
  (what === 'hooks' && hooks === true) ||
  (what === 'mcp' && allowMcp === true);

/** What a run specifies about its folder. */
export interface TrustOptions extends ConsentFlags {
  readonly settings: UserSettings;
  /** Trusts the folder for this run. */
  readonly trustFolder?: boolean;
  /** The folder is a copy, and the trust in its original applies. */
  readonly inCopy?: boolean;
}

/**
 * Requires that the folder is trusted. A user who starts a run there at a terminal trusts the folder from then on.
 * Rejects with `ConsentNeeded` if nobody trusts it.
 */
export async function needTrust(place: string, options: TrustOptions): Promise<void> {
  // In plan mode the agent only reads.
  if (options.inCopy || options.settings.mode === 'plan') return;
  // The trust in the original folder applies to a worktree; it may have been given for one run only.
  const folder = worktreeAround(place)?.of ?? place;
  if (isAttended()) return trustFolders([folder]);
  if (options.trustFolder || agreesTo(options, 'skills') || asksNothing(options) || isTrustedFolder(folder)) return;
  throw new ConsentNeeded(
    [
      `The run did not start: the folder ${shownToPeople(folder)} is not trusted, and there is no terminal to ask at.`,
      `${await whatItBrings(folder)} Review the folder first.`,
      'To trust it for this run: --trust-folder',
      'To trust it from now on: start a run in it at a terminal, or a task in VS Code',
      'To let the agent only read it: --mode plan',
    ].join('\n'),
  );
}

/** A user who runs everything without questions knows the folder. */
const asksNothing = ({ settings: { confirmation, mode } }: TrustOptions): boolean =>
  confirmation === 'never' || mode === 'auto';

const maxNames = 8;

/** Names the files that the agent would obey. */
async function whatItBrings(folder: string): Promise<string> {
  const [skills, hooks] = await Promise.all([findSkillFiles({ folders: [folder] }), readHookFiles(folder)]);
  const paths = [
    ...skills.files.filter(({ root }) => root !== 'home').map((found) => found.path),
    ...hooks.map((found) => found.path).filter((found) => !path.isAbsolute(found)),
    ...serverLocations.map((place) => place.path).filter((place) => fs.existsSync(path.join(folder, place))),
  ];
  if (paths.length === 0) return 'It contains no instructions, but its scripts and tests can run code.';
  const names = paths.slice(0, maxNames).map(shownToPeople).join(', ');
  const more = paths.length > maxNames ? ` and ${paths.length - maxNames} more` : '';
  return `It contains instructions for the agent, or programs to start: ${names}${more}.`;
}
