import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import { profiles } from '../../core/profiles/profiles';
import { verifierKinds, type VerifierKind } from '../../core/model/sampling/samplingSettings';
import { knownToolsets } from '../../core/tools/toolsets';
import { shownToPeople } from '../../core/text/shownName';
import type { ConfirmationMode, Mode } from '../../protocol/events/event';
import type { WindowParts } from './windowParts';
import type { SettingKey } from '../../core/settings/table';
import { readSettings, writeSetting } from '../common/settings';
import { personaRow } from '../skills/teaching';

interface ModeChoice {
  readonly mode: Mode;
  readonly confirmation?: ConfirmationMode;
  readonly label: string;
  readonly detail: string;
}

const modeChoices = (): readonly ModeChoice[] => [
  {
    mode: 'confirm',
    confirmation: 'risky',
    label: vscode.l10n.t('Ask if risky'),
    detail: vscode.l10n.t('Works on its own and asks before dangerous or unknown actions.'),
  },
  {
    mode: 'confirm',
    confirmation: 'always',
    label: vscode.l10n.t('Always ask'),
    detail: vscode.l10n.t('Asks before every read, edit and command.'),
  },
  {
    mode: 'auto',
    label: vscode.l10n.t('Auto: rarely ask'),
    detail: vscode.l10n.t(
      'Asks only about protected files, actions that can destroy the machine and web pages that could receive a secret. For containers and disposable machines.',
    ),
  },
  {
    mode: 'plan',
    label: vscode.l10n.t('Plan: read only'),
    detail: vscode.l10n.t('Reads and answers with a plan. Changes nothing and runs no project code.'),
  },
  {
    mode: 'human',
    label: vscode.l10n.t('Human: you type'),
    detail: vscode.l10n.t('Each message you send runs as a command. The model is not asked.'),
  },
];

/** Asks for the mode of the session on display, or of the next task. */
export async function chooseMode(window: Pick<WindowParts, 'shown' | 'controls'>): Promise<void> {
  const { mode, confirmation } = (await window.shown.openedSession())?.settings ?? readSettings();
  const picked = await pickOne(
    modeChoices().map((each) => ({
      ...each,
      ...(isChosen(each, mode, confirmation) && { description: vscode.l10n.t('now') }),
    })),
    {
      title: vscode.l10n.t('Mode of This Session'),
      placeHolder: vscode.l10n.t('Later sessions start as before. Change that with “Set Default Mode…”.'),
    },
  );
  if (picked) await window.controls.setMode(picked.mode, picked.confirmation);
}

/** Asks for the mode in which later sessions start. A separate command, because it affects all of them. */
export async function setDefaultMode(window: Pick<WindowParts, 'controls'>): Promise<void> {
  const { mode, confirmation } = readSettings();
  const items = modeChoices().map((each) => ({
    ...each,
    ...(isChosen(each, mode, confirmation) && { description: vscode.l10n.t('now') }),
  }));
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Default Mode'),
    placeHolder: vscode.l10n.t('Every new session on this machine starts in this mode, in every folder.'),
  });
  if (!picked || (picked.mode === 'auto' && !(await agreesToAutoByDefault()))) return;
  await writeSetting('mode', picked.mode);
  if (picked.confirmation) await writeSetting('confirmation', picked.confirmation);
  window.controls.next.changed();
}

/**
 * Explains the consequences of Auto as the default and asks for confirmation. Each workspace still asks once before its
 * first session in Auto.
 */
async function agreesToAutoByDefault(): Promise<boolean> {
  const make = vscode.l10n.t('Make Auto the Default');
  const detail = vscode.l10n.t(
    'Every new session on this machine will start in Auto, in every folder: the agent runs commands and changes files without asking. Each workspace still asks once before its first session in Auto.',
  );
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('Make Auto the default mode?'),
    { modal: true, detail },
    make,
  );
  return picked === make;
}

const isChosen = (choice: ModeChoice, mode: Mode, confirmation: ConfirmationMode): boolean =>
  choice.mode === mode && (choice.confirmation ?? confirmation) === confirmation;

interface Option extends vscode.QuickPickItem {
  change(): Promise<boolean>;
}

/**
 * Shows the options of the next task. Each is a setting, except the mode and the persona, which apply to the next task
 * only. The list reopens until the user closes it.
 */
export async function chooseOptions(window: Pick<WindowParts, 'teaching' | 'models' | 'controls'>): Promise<void> {
  for (;;) {
    const picked = await pickOne([...(await personaOption(window)), ...options(window)], {
      title: vscode.l10n.t('Task Options'),
    });
    if (!picked || !(await picked.change())) return;
  }
}

/** Returns the persona option if any persona is available. A persona can only restrict what the agent may do. */
async function personaOption({ teaching, models }: Pick<WindowParts, 'teaching' | 'models'>): Promise<Option[]> {
  const personas = await teaching.personas(models.name);
  if (personas.length === 0) return [];
  const nobody = {
    label: vscode.l10n.t('none'),
    detail: vscode.l10n.t('As in the profile.'),
    name: undefined,
  };
  return [
    {
      label: vscode.l10n.t('Persona'),
      description: teaching.nextPersona === undefined ? vscode.l10n.t('none') : shownToPeople(teaching.nextPersona),
      detail: vscode.l10n.t('Persona for the next task only. A persona can only restrict what the agent may do.'),
      change: async () => {
        const picked = await pickOne(
          [nobody, ...personas.map((persona) => ({ ...personaRow(persona), name: persona.name }))],
          { title: vscode.l10n.t('Persona'), matchOnDetail: true },
        );
        if (picked) teaching.nextPersona = picked.name;
        return picked !== undefined;
      },
    },
  ];
}

function options({ controls: { next } }: Pick<WindowParts, 'controls'>): Option[] {
  const { profile, sampling, toolsets, disabledToolsets, mode, confirmation } = {
    ...readSettings(),
    ...next.changedChoices,
  };
  const samplesSeveral = sampling.candidates > 1;
  const judged = samplesSeveral && sampling.verifier.kind !== 'first_valid';
  const sets = knownToolsets.map(({ name, description }) => ({ label: name, detail: description }));
  return [
    {
      label: vscode.l10n.t('Profile'),
      description: profile,
      detail: vscode.l10n.t('How the agent works: prompts, limits and tools.'),
      change: () =>
        chooseOne(
          'profile',
          vscode.l10n.t('Profile'),
          profiles.map(({ name, description }) => ({ label: name, detail: description })),
          profile,
        ),
    },
    {
      label: vscode.l10n.t('Mode'),
      description: modeChoices().find((each) => isChosen(each, mode, confirmation))?.label ?? mode,
      detail: vscode.l10n.t('What the agent may do without asking, in the next session only.'),
      change: async () => {
        const choice = await pickOne([...modeChoices()], {
          title: vscode.l10n.t('Mode of the Next Session'),
        });
        if (choice && (await next.allows(choice.mode)))
          next.choose({ mode: choice.mode, ...(choice.confirmation && { confirmation: choice.confirmation }) });
        return choice !== undefined;
      },
    },
    {
      label: vscode.l10n.t('Candidates'),
      description: String(sampling.candidates),
      detail: vscode.l10n.t('Candidate replies per step. One of them is used.'),
      change: chooseCandidates,
    },
    ...(samplesSeveral
      ? [
          {
            label: vscode.l10n.t('Verifier'),
            description: sampling.verifier.kind,
            detail: vscode.l10n.t('Selects one of the candidates.'),
            change: () =>
              chooseOne(
                'verifier.kind',
                vscode.l10n.t('Verifier'),
                verifierKinds.map((kind) => ({ label: kind, detail: verifierWords(kind) })),
                sampling.verifier.kind,
              ),
          },
        ]
      : []),
    ...(judged
      ? [
          {
            label: vscode.l10n.t('Model of the Verifier'),
            description: sampling.verifier.model || vscode.l10n.t('the session’s model'),
            change: () =>
              askForSetting(
                'verifier.model',
                vscode.l10n.t('Model of the Verifier'),
                vscode.l10n.t('A model name, or an address and a name. Leave empty to use the session’s model.'),
                sampling.verifier.model,
              ),
          },
        ]
      : []),
    {
      label: vscode.l10n.t('Toolsets'),
      description: toolsets?.join(', ') ?? vscode.l10n.t('as in the profile'),
      change: () =>
        chooseMany('toolsets', vscode.l10n.t('Toolsets (none selected: as in the profile)'), sets, toolsets ?? []),
    },
    {
      label: vscode.l10n.t('Disabled Toolsets'),
      description: disabledToolsets.join(', ') || vscode.l10n.t('none'),
      change: () => chooseMany('disabledToolsets', vscode.l10n.t('Disabled Toolsets'), sets, disabledToolsets),
    },
    {
      label: vscode.l10n.t('All Settings'),
      iconPath: new vscode.ThemeIcon('gear'),
      change: async () => {
        await vscode.commands.executeCommand('waymark.openSettings');
        return false;
      },
    },
  ];
}

const verifierWords = (kind: VerifierKind): string =>
  ({
    first_valid: vscode.l10n.t('The first usable candidate.'),
    llm: vscode.l10n.t('A model compares all candidates and picks one.'),
    reward_model: vscode.l10n.t('A model scores each candidate. The highest score wins.'),
  })[kind];

async function chooseOne(
  key: SettingKey,
  title: string,
  items: vscode.QuickPickItem[],
  current: string,
): Promise<boolean> {
  const picked = await pickOne(
    items.map((item) => ({ ...item, ...(item.label === current && { description: vscode.l10n.t('now') }) })),
    { title, matchOnDetail: true },
  );
  if (picked) await writeSetting(key, picked.label);
  return picked !== undefined;
}

async function chooseMany(
  key: SettingKey,
  title: string,
  items: vscode.QuickPickItem[],
  current: readonly string[],
): Promise<boolean> {
  const own = current.filter((name) => !items.some(({ label }) => label === name)).map((label) => ({ label }));
  const picked = await vscode.window.showQuickPick(
    [...items, ...own].map((item) => ({ ...item, picked: current.includes(item.label) })),
    { title, canPickMany: true, matchOnDetail: true },
  );
  if (picked)
    await writeSetting(
      key,
      picked.map(({ label }) => label),
    );
  return picked !== undefined;
}

async function chooseCandidates(): Promise<boolean> {
  const { sampling } = readSettings();
  const isValidCount = (text: string) => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 32;
  const text = await askText({
    title: vscode.l10n.t('Candidates'),
    prompt: vscode.l10n.t('Candidate replies per step. Each one costs.'),
    value: String(sampling.candidates),
    validateInput: (value) => (isValidCount(value) ? undefined : vscode.l10n.t('Enter a whole number from 1 to 32.')),
  });
  if (text !== undefined) await writeSetting('candidates', Number(text));
  return text !== undefined;
}

async function askForSetting(key: SettingKey, title: string, prompt: string, value: string): Promise<boolean> {
  const text = await askText({ title, prompt, value });
  if (text !== undefined) await writeSetting(key, text.trim());
  return text !== undefined;
}
