import * as vscode from 'vscode';
import { keptApiKey, resolveKey, referenceTo, variableOf } from './secrets';
import type { ModelConnection } from './connection';
import { back, pickStep, writeStep, type StepPosition, type PickRow } from './quickStep';

type Source = 'kept' | 'variable' | 'copy' | 'write' | 'page';

/** Returns the environment variables with a key for the provider that exist in this window. */
export const variablesFor = (names: readonly string[]): string[] =>
  names.filter((name) => resolveKey(referenceTo(name)) !== undefined);

/**
 * Asks for the key: an existing one from the environment or the secret storage, or a new one. The key itself is never
 * shown.
 */
export async function keyStep(
  connection: ModelConnection,
  secrets: vscode.SecretStorage,
  place: StepPosition,
): Promise<'next' | typeof back | undefined> {
  const { provider, baseUrl } = connection;
  const storedKey = await keptApiKey(secrets, baseUrl);
  const [variable] = variablesFor(provider?.keyVariables ?? []);
  const titled = { ...place, title: vscode.l10n.t('API Key for {0}', new URL(baseUrl).host) };
  const rows = sourceRows(storedKey, variable, provider?.keyPage);
  for (;;) {
    const source = rows
      ? await pickStep<Source>(titled, (pick) => {
          pick.items = rows;
          pick.placeholder = vscode.l10n.t('Which key should Waymark use?');
        })
      : 'write';
    if (source === back || source === undefined) return source;
    if (source === 'page') {
      await vscode.env.openExternal(vscode.Uri.parse(provider!.keyPage!));
      continue;
    }
    const key =
      source === 'write'
        ? await writeKey(connection, rows ? { ...titled, canGoBack: true } : titled)
        : keyFrom(source, storedKey, variable);
    if (key === back && rows) continue;
    if (key === back || key === undefined) return key;
    if (key !== connection.key) connection.listed = undefined;
    connection.key = key || undefined;
    return 'next';
  }
}

/** Returns undefined if there is nothing to choose from. */
function sourceRows(
  storedKey: string | undefined,
  variable: string | undefined,
  keyPage: string | undefined,
): PickRow<Source>[] | undefined {
  if (resolveKey(storedKey) === undefined && variable === undefined) return undefined;
  const read = variableOf(storedKey);
  return [
    ...(resolveKey(storedKey) === undefined
      ? []
      : [
          {
            value: 'kept' as const,
            label: `$(check) ${vscode.l10n.t('Use the saved key')}`,
            detail:
              read === undefined
                ? vscode.l10n.t('Saved in VS Code’s secret storage.')
                : vscode.l10n.t('Read from {0} on every use.', read),
          },
        ]),
    ...(variable === undefined || variable === read
      ? []
      : [
          {
            value: 'variable' as const,
            label: `$(key) ${vscode.l10n.t('Use {0}', variable)}`,
            description: vscode.l10n.t('found in the environment'),
            detail: vscode.l10n.t('Read from the environment on every use. Only the variable’s name is saved.'),
          },
        ]),
    ...(variable === undefined
      ? []
      : [
          {
            value: 'copy' as const,
            label: `$(save) ${vscode.l10n.t('Save a copy of {0}', variable)}`,
            detail: vscode.l10n.t('Saved in VS Code’s secret storage, for windows without the variable.'),
          },
        ]),
    { value: 'write' as const, label: `$(edit) ${vscode.l10n.t('Enter another key…')}` },
    ...(keyPage === undefined ? [] : [pageRow(keyPage)]),
  ];
}

const pageRow = (keyPage: string): PickRow<Source> => ({
  value: 'page',
  label: `$(link-external) ${vscode.l10n.t('Get a key')}`,
  description: new URL(keyPage).host,
});

function keyFrom(
  source: Exclude<Source, 'write' | 'page'>,
  storedKey: string | undefined,
  variable: string | undefined,
): string {
  if (source === 'kept') return storedKey!;
  return source === 'variable' ? referenceTo(variable!) : process.env[variable!]!.trim();
}

/** Asks for a key. Returns "" if none is needed. */
function writeKey({ provider, baseUrl, key }: ModelConnection, place: StepPosition) {
  const { host } = new URL(baseUrl);
  const needed = provider !== undefined && provider.keyVariables.length > 0;
  const where = vscode.l10n.t('Saved in VS Code’s secret storage and sent only to {0}.', host);
  const page = provider?.keyPage;
  return writeStep(place, {
    prompt: needed ? where : `${where} ${vscode.l10n.t('Leave this empty if none is needed.')}`,
    placeholder: vscode.l10n.t(
      'Paste the key, or name an environment variable: {0}',
      referenceTo(provider?.keyVariables[0] ?? 'NAME'),
    ),
    // Restores what was typed before the user went back.
    value: key ?? '',
    password: true,
    ...(page !== undefined && {
      buttons: [
        {
          icon: 'link-external',
          tooltip: vscode.l10n.t('Get a key from {0}', new URL(page).host),
          run: () => void vscode.env.openExternal(vscode.Uri.parse(page)),
        },
      ],
    }),
    problemWith: (value) => {
      if (needed && value === '') return vscode.l10n.t('{0} needs a key.', provider.name);
      if (/\s/.test(value)) return vscode.l10n.t('An API key has no spaces.');
      const variable = variableOf(value);
      if (variable === undefined || resolveKey(value) !== undefined) return undefined;
      return vscode.l10n.t('{0} is not set in the environment of VS Code.', variable);
    },
  });
}
