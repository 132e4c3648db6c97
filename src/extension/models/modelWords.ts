import * as vscode from 'vscode';
import { contextWindowOf } from '../../core/model/contextWindows';
import type { ListedModel } from '../../core/model/listedModels';
import { priceOf } from '../../core/model/prices';

/** Returns what is known about a listed model in one short line: "Claude Opus 5 · 1M tokens · $5 in, $25 out". */
export function modelWords({ id, name, contextWindow, price, tools }: ListedModel): string {
  const window = contextWindow ?? contextWindowOf(id);
  return [
    name,
    window === null ? undefined : vscode.l10n.t('{0} tokens', shortCount(window)),
    priceWords(price ?? priceOf(id)),
    tools === false ? vscode.l10n.t('no tools') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns whether any of the lines includes a price. */
export const hasPrices = (models: readonly ListedModel[]): boolean =>
  models.some(({ id, price }) => price ?? priceOf(id));

function priceWords(price: { readonly input: number; readonly output: number } | undefined): string | undefined {
  if (!price) return undefined;
  if (price.input === 0 && price.output === 0) return vscode.l10n.t('free');
  return vscode.l10n.t('{0} in, {1} out', dollars(price.input), dollars(price.output));
}

/** 4 → "$4", 2.5 → "$2.50", 0.125 → "$0.125". */
function dollars(amount: number): string {
  const short = String(Number(amount.toPrecision(3)));
  return /\.\d$/.test(short) ? `$${short}0` : `$${short}`;
}

/** 131072 → "131k", 1048576 → "1.05M". */
function shortCount(tokens: number): string {
  const [amount, unit] = tokens >= 1_000_000 ? [tokens / 1_000_000, 'M'] : [tokens / 1000, 'k'];
  return `${Number(amount.toPrecision(3))}${unit}`;
}
