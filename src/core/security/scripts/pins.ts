import { voidsConsent } from '../../log/eventFacts';
import { projection, type History } from '../../log/projection';
import type { Action } from '../../../protocol/events/event';
import type { Scripts } from '../../ports/scripts';
import { decisiveParts } from '../../shell/files/installs';

/** Hashes of scripts and settings, by name: `npm:FOLDER#SCRIPT`, `file:PATH`, `install:PATH`, `git`, `git:FOLDER`. */
type Pins = Readonly<Record<string, string>>;

export const npmPin = (folder: string, name: string): string => `npm:${folder}#${name}`;
export const filePin = (path: string): string => `file:${path}`;
/**
 * Name of the pin for the part of a file that decides what runs when packages are installed. An empty path marks that
 * these files were recorded at all, which earlier versions did not do.
 */
export const installPin = (path: string): string => `install:${path}`;
export const gitPin = 'git';
/** Name of the pin for the settings of a repository below the workspace's folder. */
export const gitPinBelow = (folder: string): string => `${gitPin}:${folder}`;

/** Returns the pins of what commands would run now. */
export async function pinsAtStart(scripts: Scripts): Promise<Pins> {
  const [paths, settings] = await Promise.all([scripts.usualPlaces(), scripts.gitSettings()]);
  const pins: Record<string, string> = { [gitPin]: scripts.hash(settings) };
  for (const path of paths) {
    const text = await scripts.read(path);
    if (text === undefined) continue;
    if (!/(^|\/)package\.json$/.test(path)) pins[filePin(path)] = scripts.hash(text);
    else
      for (const [name, script] of Object.entries(npmScripts(text)))
        pins[npmPin(folderOfScript(path), name)] = scripts.hash(script);
  }
  pins[installPin('')] = scripts.hash('');
  const folders = new Set(['.', ...paths.filter((path) => /(^|\/)package\.json$/.test(path)).map(folderOfScript)]);
  for (const folder of [...folders].slice(0, MAX_FOLDERS)) {
    for (const { path, text } of await decisiveParts(folder, scripts)) pins[installPin(path)] = scripts.hash(text);
  }
  return pins;
}

/** Maximum number of package folders whose install-relevant files are recorded. */
const MAX_FOLDERS = 20;

export const folderOfScript = (path: string): string => path.split('/').slice(0, -1).join('/') || '.';

/** Returns a folder of the workspace and those above it, nearest first. Of one outside, only itself. */
export function foldersUpwards(folder: string): readonly string[] {
  if (folder === '' || /^~|^\.\.(?:\/|$)/.test(folder)) return [folder];
  const parts = folder.split('/');
  const above = parts.map((_, at) => parts.slice(0, parts.length - at).join('/')).filter(Boolean);
  return folder.startsWith('/') || folder === '.' ? above : [...above, '.'];
}

/** Returns the scripts declared in a package.json, or none if it cannot be parsed. */
export function npmScripts(text: string): Record<string, string> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== 'object' || scripts === null) return {};
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

interface Ledger {
  /** Recorded at the start, or approved since. */
  readonly agreed: Map<string, string>;
  /** Approved by a person in this session. */
  readonly agreedByPerson: Map<string, string>;
  /** Refused by a person in this session. */
  readonly refusedByPerson: Map<string, string>;
  /** Hash when first seen. */
  readonly firstHashes: Map<string, string>;
  readonly askedPins: Map<string, Pins>;
  began: boolean;
  /** Ids of calls that only read. */
  readonly readOnlyCalls: Set<string>;
  /** True if something ran or was edited since the start. */
  acted: boolean;
}

const ledgerOf = projection<Ledger>(
  () => ({
    agreed: new Map(),
    agreedByPerson: new Map(),
    refusedByPerson: new Map(),
    firstHashes: new Map(),
    askedPins: new Map(),
    began: false,
    readOnlyCalls: new Set(),
    acted: false,
  }),
  (ledger, event) => {
    switch (event.type) {
      case 'task_started':
        for (const [name, hash] of Object.entries(event.pins ?? {})) ledger.agreed.set(name, hash);
        ledger.began ||= event.pins !== undefined;
        break;
      case 'agent_response':
        for (const action of event.actions) addAction(ledger, action);
        break;
      case 'confirmation_requested':
        for (const [id, { pins }] of Object.entries(event.risks ?? {})) if (pins) ledger.askedPins.set(id, pins);
        break;
      case 'confirmation_resolved':
        // Only a person can approve a script. A rule that allows a command says nothing about what the command runs now.
        if (event.by === 'person') for (const id of event.actionIds) addDecision(ledger, id, event.approved);
        break;
      case 'observation':
        ledger.askedPins.delete(event.actionId);
        ledger.acted ||= !ledger.readOnlyCalls.delete(event.actionId);
        break;
    }
    if (voidsConsent(event)) forgetDecisions(ledger);
  },
);

function addAction(ledger: Ledger, { id, effect, risk: { pins, reach } }: Action): void {
  if (reach?.looks || (effect !== 'executes' && effect !== 'writes')) ledger.readOnlyCalls.add(id);
  if (!pins) return;
  ledger.askedPins.set(id, pins);
  for (const [name, hash] of Object.entries(pins))
    if (!ledger.firstHashes.has(name)) ledger.firstHashes.set(name, hash);
}

function addDecision(ledger: Ledger, action: string, approved: boolean): void {
  for (const [name, hash] of Object.entries(ledger.askedPins.get(action) ?? {})) {
    (approved ? ledger.agreedByPerson : ledger.refusedByPerson).set(name, hash);
    if (approved) ledger.agreed.set(name, hash);
  }
}

function forgetDecisions({ agreed, agreedByPerson, refusedByPerson, firstHashes, askedPins }: Ledger): void {
  for (const part of [agreed, agreedByPerson, refusedByPerson, firstHashes, askedPins]) part.clear();
}

/** Returns whether a person approved, in this session, a command that depends on this pin with its current hash. */
export const isAgreed = (name: string, hash: string, history: History): boolean =>
  ledgerOf(history).agreedByPerson.get(name) === hash;

/** Returns whether a person approved or refused, in this session, a command that depended on this pin with another hash. */
export function otherWasDecided(name: string, hash: string, history: History): boolean {
  const { agreedByPerson, refusedByPerson } = ledgerOf(history);
  return [agreedByPerson, refusedByPerson].some((decided) => (decided.get(name) ?? hash) !== hash);
}

/** Returns what the session started with or a person approved. */
export const agreedPins = (history: History): Pins => Object.fromEntries(ledgerOf(history).agreed);

/** Compares a script with what the log knows about it. */
export function compareScript(name: string, hash: string, history: History): 'same' | 'new' | 'changed' {
  const { agreed, firstHashes } = ledgerOf(history);
  const known = agreed.get(name);
  if (known !== undefined) return known === hash ? 'same' : 'changed';
  const before = firstHashes.get(name);
  return before === undefined || before === hash ? 'new' : 'changed';
}

/**
 * Compares something that decides what runs with the start of the session: it `came` or `changed` since then, or was
 * not checked (`unseen`). Returns undefined if it is unchanged. Until something ran or was edited, everything that
 * exists is assumed to have existed at the start.
 */
export function changeSinceStart(
  name: string,
  folder: string,
  hash: string,
  history: History,
): 'came' | 'changed' | 'unseen' | undefined {
  const { agreed, firstHashes, acted } = ledgerOf(history);
  const known = agreed.get(name);
  if (known !== undefined) return known === hash ? undefined : 'changed';
  if (!agreed.has(installPin('')) || !acted) return undefined;
  const before = firstHashes.get(name);
  if (before !== undefined && before !== hash) return 'changed';
  const wasSeen =
    folder === '.' ||
    [...agreed.keys()].some((pin) => pin.startsWith(`npm:${folder}#`) || pin.startsWith(installPin(`${folder}/`)));
  return wasSeen ? 'came' : 'unseen';
}
