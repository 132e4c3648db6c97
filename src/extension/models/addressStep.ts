import * as vscode from 'vscode';
import type { Connection } from './connection';
import { type back, writeStep, type Place } from './quickStep';

/** A word of an address of the list that a person replaces: RESOURCE in "https://RESOURCE.openai.azure.com". */
const openWord = /(?<=[/.])[A-Z]{4,}(?=[/.])/;

/** Whether an address of the list is complete only with a word of the person's own. */
export const needsOwnWord = (baseUrl: string): boolean => openWord.test(baseUrl);

/** Asks for the address of the server. */
export async function addressStep(connection: Connection, place: Place): Promise<'next' | typeof back | undefined> {
  const { baseUrl, provider } = connection;
  const open = openWord.exec(baseUrl);
  const address = await writeStep(
    {
      ...place,
      title: provider ? vscode.l10n.t('Address of {0}', provider.name) : vscode.l10n.t("Address of the model's server"),
    },
    {
      prompt: open
        ? vscode.l10n.t('Put the name of your own in place of {0}.', open[0])
        : vscode.l10n.t('The part before /chat/completions'),
      placeholder: 'https://api.openai.com/v1',
      value: baseUrl,
      ...(open && { selection: [open.index, open.index + open[0].length] }),
      wrong: wrongAddress,
    },
  );
  if (typeof address !== 'string') return address;
  if (address !== baseUrl) connection.listed = undefined;
  // A key belongs to the server that it was typed for.
  if (URL.canParse(baseUrl) && new URL(address).origin !== new URL(baseUrl).origin) connection.key = undefined;
  connection.baseUrl = address;
  return 'next';
}

function wrongAddress(value: string): string | undefined {
  if (!/^https?:\/\/[^\s@]+$/.test(value) || !URL.canParse(value)) {
    return vscode.l10n.t('An address that starts with https:// or http://, without a user name.');
  }
  const open = openWord.exec(value);
  return open ? vscode.l10n.t('Put the name of your own in place of {0}.', open[0]) : undefined;
}
