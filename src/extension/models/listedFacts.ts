import type * as vscode from 'vscode';
import type { ListedModel } from '../../core/model/listedModels';

/** What a server listed about a model when it was chosen. */
type ListedFacts = Pick<ListedModel, 'contextWindow' | 'price'>;

const KEY = 'waymark.listedModels';
/** Maximum number of remembered models; the last chosen ones are kept. */
const maxRemembered = 50;

const nameFor = (baseUrl: string, model: string): string => `${baseUrl} ${model}`;

/** Returns what the server listed about a chosen model; empty if nothing is known. */
export function listedFacts(memory: vscode.Memento, baseUrl: string, model: string): ListedFacts {
  return memory.get<Record<string, ListedFacts>>(KEY, {})[nameFor(baseUrl, model)] ?? {};
}

/** Remembers what the server listed about the model being chosen. */
export async function keepListedFacts(
  memory: vscode.Memento,
  baseUrl: string,
  model: string,
  said: ListedModel | undefined,
): Promise<void> {
  const { [nameFor(baseUrl, model)]: _before, ...others } = memory.get<Record<string, ListedFacts>>(KEY, {});
  const facts: ListedFacts = {
    ...(said?.contextWindow && { contextWindow: said.contextWindow }),
    ...(said?.price && { price: said.price }),
  };
  const kept = Object.entries({ ...others, [nameFor(baseUrl, model)]: facts }).slice(-maxRemembered);
  await memory.update(KEY, Object.fromEntries(kept));
}
