import type { Action, AllowRule, Assessment } from '../../protocol/events/event';
import type { RuleOffer, RuleRefusal } from '../../protocol/panel/panel';
import { shellFolder } from '../log/history';
import type { Tool } from '../ports/tool';
import { isCovered, shapeOf, type Surroundings } from './allowRules';
import { groundsOf } from '../risk/assessment';
import { said } from '../shell/verdict/sentences';
import { pathAnalyzer } from './pathAnalyzer';
import type { Subject } from '../ports/analyzer';

/**
 * What may be allowed for ever: the rules, and what each would let run in words for the person who decides. None, and
 * why, where nothing may.
 */
export interface Offered {
  readonly offers: readonly (RuleOffer & { readonly rule: AllowRule })[];
  readonly refusal?: RuleRefusal;
}

/** Judges a call of the same tool as it would be judged now. */
type Judge = (input: unknown) => Promise<Assessment>;

/**
 * The standing permissions that a person may give for an action that waits: for this very call; for the same command
 * with other plain
 * words; for whatever is done in this project for the same reasons. The wider two are for low and medium risk only.
 */
export async function offeredRules(action: Action, around: Surroundings, judge: Judge): Promise<Offered> {
  const { tool, history, shell } = around;
  const { risk, effect, input } = action;
  const call = tool?.bind(input);
  const refusal = ruleRefusal(action, tool);
  if (!tool || !call || refusal) return { offers: [], refusal: refusal ?? 'unfit' };
  const cwd = effect === 'executes' ? shellFolder(history) : undefined;
  const same = { tool: tool.name, key: call.allowKey!, ...(cwd !== undefined && { cwd }), within: risk };
  const shape =
    risk.level === 'low' || risk.level === 'medium' ? await shapeOf(call.touches.command, shell) : undefined;
  const isOnePlace = tool.from !== undefined || tool.keepsToKey === true;
  // A permission to delete or move a file is none to edit it: people are told the command that does the same.
  const isNamedAsCommand = !isOnePlace && call.touches.sameAs !== undefined;
  const { command, sameAs, writes = [], reads = [] } = call.touches;
  const shown = isOnePlace ? call.allowKey! : (command ?? sameAs ?? [...writes, ...reads].join(', '));
  const offers: { scope: RuleOffer['scope']; shown: string; rule: AllowRule }[] = [
    { scope: 'exact', shown, rule: same },
  ];
  if (shape?.includes(null))
    offers.push({
      scope: 'similar',
      shown: written(shape, '…'),
      rule: { ...same, key: JSON.stringify(shape), scope: 'similar' },
    });
  if (effect && !tool.from && mayBeOfAKind(risk))
    offers.push({
      scope: 'kind',
      shown: '',
      rule: { tool: '*', effect, key: JSON.stringify([...groundsOf(risk)].toSorted()), scope: 'kind', within: risk },
    });
  return {
    offers: await Promise.all(
      offers.map(async (offer) => ({
        ...offer,
        ...(await examples(offer.rule, shape, action, around, judge)),
        ...about(offer.rule, isNamedAsCommand && offer.scope === 'exact' ? undefined : effect),
      })),
    ),
  };
}

/** Why no standing permission can be given for an action that waits; undefined where one can. */
export function ruleRefusal(
  { risk, input }: Pick<Action, 'risk' | 'input'>,
  tool: Tool | undefined,
): RuleRefusal | undefined {
  const isOnePlace = tool?.from !== undefined || tool?.keepsToKey === true;
  const refusal = refused(risk, isOnePlace);
  if (refusal) return refusal;
  return tool?.bind(input).allowKey === undefined ? 'unfit' : undefined;
}

/** `isOnePlace`: whatever it is given, it reaches one place alone, so that a permission leads nowhere else. */
function refused(
  { floor, guarded, tainted, level, reach, categories }: Assessment,
  isOnePlace: boolean,
): RuleRefusal | undefined {
  if (floor) return 'floor';
  if (tainted) return 'tainted';
  if (guarded) return 'guarded';
  if (level === 'low' || level === 'medium' || (isOnePlace && level === 'unknown' && !reach?.secret)) return undefined;
  return reach?.secret || categories?.includes('protected') ? 'secret' : reach?.network ? 'network' : undefined;
}

/** Kinds are wide, so they are offered only where nothing leaves the project and no script was looked at. */
function mayBeOfAKind({ level, reach, categories = [], pins = {} }: Assessment): boolean {
  return (
    (level === 'low' || level === 'medium') &&
    !reach?.network &&
    !reach?.secret &&
    Object.keys(pins).every((name) => name === 'git') &&
    categories.every((category) => category === 'deletes' || category === 'git_history')
  );
}

const about = (
  { cwd, within }: AllowRule,
  effect: Action['effect'],
): Pick<RuleOffer, 'cwd' | 'reasons' | 'level' | 'scripts' | 'effect'> => ({
  reasons: groundsOf(within!).map(said),
  level: within!.level,
  scripts: Object.keys(within!.pins ?? {}).filter((name) => name !== 'git').length,
  ...(cwd !== undefined && { cwd }),
  ...(effect && { effect }),
});

const everyday = [
  'npx vitest run test/a.test.ts',
  'npx tsc --noEmit',
  'npx prettier --write src',
  'mkdir -p build',
  'touch notes.txt',
  'mv notes.txt docs/notes.txt',
  'rm notes.txt',
  'echo done > notes.txt',
  'sed -i s/one/two/ notes.txt',
  'git add src',
  'git commit -m "Say what changed"',
  'git switch -c topic',
  'node scripts/show.mjs',
  'npx webpack --mode production',
  'ls src',
  'cat src/main.ts',
  'grep -rn TODO src',
  'git status',
];
const alarming = [
  'rm -rf src',
  'git push',
  'npm install left-pad',
  'curl https://example.com',
  'cat .env',
  'echo x > AGENTS.md',
];
const paths = ['src/main.ts', 'test/main.test.ts', 'docs/guide.md'];
const alarmingPaths = ['package.json', 'AGENTS.md', '.env', '.github/workflows/ci.yml'];
const most = 3;

/** What the rule covers and what it does not, found by asking the rule itself. */
async function examples(
  { scope, ...rest }: AllowRule,
  shape: readonly (string | null)[] | undefined,
  action: Action,
  around: Surroundings,
  judge: Judge,
): Promise<Pick<RuleOffer, 'covers' | 'asks'>> {
  if (scope === undefined) return { covers: [], asks: [] };
  const rule: AllowRule = { ...rest, scope };
  const allows = async (input: unknown, risk?: Assessment): Promise<boolean> =>
    isCovered({ ...action, input, risk: risk ?? (await judge(input)) }, [rule], around);
  const sorted = async (
    samples: readonly string[],
    covered: (sample: string) => Promise<boolean>,
    wanted: boolean,
  ): Promise<string[]> => {
    const found: string[] = [];
    for (const sample of samples)
      if (found.length < most && (await covered(sample).catch(() => false)) === wanted) found.push(sample);
    return found;
  };
  if (action.effect === 'executes') {
    const runs = (command: string): Promise<boolean> => allows({ ...(action.input as object), command });
    // A command as risky as the one in question says more than one that is less risky.
    const alike = async (command: string): Promise<boolean> =>
      (await judge({ ...(action.input as object), command })).level === rest.within!.level && runs(command);
    const similar =
      scope === 'similar' && shape
        ? {
            covers: ['one', 'another'].map((word) => written(shape, word)),
            asks: [`${written(shape, 'one')} --force`, `${written(shape, 'one')} && rm -rf src`],
          }
        : undefined;
    return {
      covers: await sorted(similar?.covers ?? everyday, similar ? runs : alike, true),
      asks: await sorted(similar?.asks ?? alarming, runs, false),
    };
  }
  const opens = (path: string): Promise<boolean> => allows(action.input, touching(path, action.effect));
  return { covers: await sorted(paths, opens, true), asks: await sorted(alarmingPaths, opens, false) };
}

function touching(path: string, effect: Action['effect']): Assessment {
  return pathAnalyzer.assess({
    call: { touches: effect === 'reads' ? { reads: [path] } : { writes: [path] } },
  } as unknown as Subject) as Assessment;
}

/** The words of a shape as they are typed. */
const written = (shape: readonly (string | null)[], other: string): string =>
  shape
    .map((word) =>
      word === null ? other : /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');
