import * as vscode from 'vscode';
import type { ListedModel } from '../../core/model/listedModels';
import { ModelProblem } from '../../core/ports/model';
import { resolveKey } from './secrets';
import { connectionName, type ModelConnection } from './connection';
import { hasPrices, modelWords } from './modelWords';
import { back, pickStep, separator, type StepPosition, type PickRow } from './quickStep';
import { errorMessage } from '../../core/text/errorMessage';

/** The next step: the trial, another key, or another address. */
type Next = 'next' | 'key' | 'address';
/** Additional headers, read when needed because a secret that they refer to may be missing. */
type Headers = () => Promise<Readonly<Record<string, string>>>;
type Value = { readonly model: string } | { readonly go: 'key' | 'address' };

/**
 * Asks for a model: one that the server lists, or any other name. A name can also be typed if the list fails to load.
 */
export async function modelStep(
  connection: ModelConnection,
  headers: Headers,
  place: StepPosition,
): Promise<Next | typeof back | undefined> {
  const answer = await pickStep<Value>(
    { ...place, title: vscode.l10n.t('Model from {0}', connectionName(connection)) },
    (pick, closed) => {
      let above: PickRow<Value>[] = [];
      const fill = (): void => {
        const models = connection.listed ?? [];
        const typed = pick.value.trim();
        pick.items = [
          ...above,
          ...modelRows(models),
          ...(typed && !models.some(({ id }) => id === typed) ? typedRows(typed, models.length > 0) : []),
        ];
        pick.placeholder = placeholder(models);
        // The first rows may be messages about the list. Enter picks the first real choice below them.
        const meant =
          pick.items.findLast(({ value }) => value && 'model' in value && value.model === typed) ??
          pick.items.find(({ value }) => value);
        if (above.length > 0 && meant) pick.activeItems = [meant];
      };
      pick.value = connection.search;
      pick.onDidChangeValue((value) => {
        connection.search = value;
        fill();
      });
      fill();
      const chosen = pick.items.find(({ value }) => value && 'model' in value && value.model === connection.model);
      if (chosen) pick.activeItems = [chosen];
      if (connection.listed) return;
      pick.busy = true;
      void list(connection, headers, closed)
        .then(
          (models) => {
            connection.listed = models;
          },
          (error: unknown) => {
            above = problemRows(error, connection);
          },
        )
        .finally(() => {
          if (closed.aborted) return;
          pick.busy = false;
          fill();
        });
    },
    (words) => ({ model: words }),
  );
  if (answer === back || answer === undefined) return answer;
  if ('go' in answer) return answer.go;
  connection.model = answer.model;
  return 'next';
}

async function list({ baseUrl, key }: ModelConnection, headers: Headers, signal: AbortSignal): Promise<ListedModel[]> {
  const { listModels } = await import('../../adapters/models/modelList');
  return listModels({ baseUrl, apiKey: resolveKey(key), headers: await headers(), signal });
}

function modelRows(models: readonly ListedModel[]): PickRow<Value>[] {
  const row = (model: ListedModel): PickRow<Value> => ({
    label: model.id,
    description: modelWords(model),
    value: { model: model.id },
  });
  const others = models.filter(({ chats }) => !chats);
  return [
    ...models.filter(({ chats }) => chats).map(row),
    ...(others.length > 0 ? [separator(vscode.l10n.t('probably not a chat model')), ...others.map(row)] : []),
  ];
}

/** Returns a row for the typed text, which may name a model that is not listed. */
function typedRows(typed: string, listed: boolean): PickRow<Value>[] {
  return [
    ...(listed ? [separator(vscode.l10n.t('not in the list'))] : []),
    { label: `$(edit) ${vscode.l10n.t('Use “{0}”', typed)}`, alwaysShow: true, value: { model: typed } },
  ];
}

function problemRows(error: unknown, { provider }: ModelConnection): PickRow<Value>[] {
  const problem = error instanceof ModelProblem ? error : undefined;
  const what = problem?.what ?? vscode.l10n.t('Failed to list models.');
  const why = problem?.why ?? errorMessage(error);
  const wrongKey = problem?.kind === 'authentication';
  return [
    { label: `$(warning) ${what}`, detail: why, alwaysShow: true },
    ...(wrongKey
      ? [{ label: `$(key) ${vscode.l10n.t('Change the key…')}`, alwaysShow: true, value: { go: 'key' as const } }]
      : []),
    ...(wrongKey && provider
      ? []
      : [
          {
            label: `$(globe) ${vscode.l10n.t('Change the address…')}`,
            alwaysShow: true,
            value: { go: 'address' as const },
          },
        ]),
  ];
}

function placeholder(models: readonly ListedModel[]): string {
  if (models.length === 0) return vscode.l10n.t('Enter the model’s name, as the server spells it');
  return hasPrices(models)
    ? vscode.l10n.t('Search, or type a name. Prices are US dollars per million tokens.')
    : vscode.l10n.t('Search, or type a name');
}
