import { wordsOf, type Claim, type Claims } from '../../calls/claims';
import type { SimpleCommand } from '../../effects/effect';
import type { Value } from '../../syntax/value';
import { accountClaims } from './accounts';
import { gitClaims } from './git';
import { packageClaims } from './packages';
import { serviceClaims } from './services';
import { systemClaims } from './system';

/** ★ What is known in words of dangerous commands, by program. Levels are the business of the tables in `tools/`. */
const registry = new Map<string, Claims>(
  [gitClaims, packageClaims, serviceClaims, systemClaims, accountClaims].flatMap((group) =>
    Object.entries(group).flatMap(([names, claims]) => names.split(' ').map((name) => [name, claims] as const)),
  ),
);

/** What is known of a command with these very words. */
export function claimOf({ name, words }: Pick<SimpleCommand, 'name' | 'words'>): Claim | undefined {
  const program = programOf(name);
  return registry.get(program)?.(wordsOf(program, words.map(shown)), claimOfWords);
}

/** The same for a command inside another one, such as `sudo COMMAND`. */
function claimOfWords([name = '', ...rest]: readonly string[]): Claim | undefined {
  const program = programOf(name);
  return registry.get(program)?.(wordsOf(program, rest), claimOfWords);
}

const programOf = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();

/** What is only known when it runs is shown as it is written. */
const shown = ({ kind, text, source }: Value): string => (kind === 'unknown' ? source : text);
