import type { Effect } from '../../shell/effects/effect';
import { resolvePlace } from '../../shell/syntax/place';
import { literal } from '../../shell/syntax/value';
import { exactlyOneOf } from '../../text/alternatives';
import { changesPackages, reachesNetwork } from './programs';
import { addressIn, hostShape, tokensIn } from './tokens';
import { trustOf } from './trust';

/**
 * A significant part of a command. `looked`: the words under which it may have been seen. `written`: as written in the
 * command.
 */
export interface CommandToken {
  readonly kind: 'address' | 'package name' | 'path' | 'name';
  readonly looked: readonly string[];
  readonly written: string;
  /** True for a path or name of the project itself. */ readonly isOfProject: boolean;
}

/**
 * Returns the addresses, package names, paths and file names in a command. Plain words and quoted sentences are
 * excluded.
 */
export function significantParts(command: string, effects: readonly Effect[]): CommandToken[] {
  const found: CommandToken[] = [];
  const installing =
    effects.some((effect) => effect.kind === 'other' && changesPackages(effect.culprit)) || changesPackages(command);
  const reaching = effects.some((effect) => effect.kind === 'other' && reachesNetwork(effect.culprit));
  const resolved = effects.flatMap((effect) => {
    if (effect.kind === 'fetches') return [effect.url];
    return 'place' in effect ? [effect.place.path] : [];
  });
  for (const text of [...splitWords(command), ...resolved]) {
    for (const { text: token, written } of tokensIn(text)) {
      const kind = carriedKind(token, { installing, reaching, spoken: /\s/.test(text) });
      if (kind)
        found.push({
          kind,
          written,
          looked: namesToLookUp(token, kind),
          isOfProject: kind === 'path' || kind === 'name' ? isWorkspacePath(token) : false,
        });
    }
  }
  return found;
}

/** Returns the words of a shell command without quotes. */
const splitWords = (command: string): string[] =>
  [...command.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&<>()"'\\])+/g)].map(([word]) =>
    word
      .replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\./g, (all, double?: string, single?: string) => double ?? single ?? all)
      .replace(/\\(.)/g, '$1'),
  );

/** Programs that install, and their subcommands. A model knows these without having read them. */
const commonVerbs = exactlyOneOf([
  'apt-get composer poetry bundle flatpak install uninstall remove require update upgrade download',
  'create search publish development production',
]);

function carriedKind(
  token: string,
  { installing, reaching, spoken: isText }: { installing: boolean; reaching: boolean; spoken: boolean },
): CommandToken['kind'] | undefined {
  if (addressIn(token)) return 'address';
  if (token.startsWith('-') || isText) return undefined;
  if (installing && !/^[~/.]/.test(token) && !commonVerbs.test(token)) return 'package name';
  if (reaching && hostShape.test(token.split('/')[0]!)) return 'address';
  if (token.includes('/')) return 'path';
  return /[\d._@-]/.test(token) ? 'name' : undefined;
}

function namesToLookUp(token: string, kind: CommandToken['kind']): string[] {
  if (kind !== 'address') return [token];
  const { host, plain } = addressIn(token) ?? { host: token.split(/[/:]/)[0]!.replace(/^.*@/, ''), plain: token };
  const labels = host.split('.');
  return [plain, ...labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))];
}

function isWorkspacePath(token: string): boolean {
  const { where, path } = resolvePlace(literal(token), '.');
  return where === 'inside' && trustOf(path) !== 'others';
}
