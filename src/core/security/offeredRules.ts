import type { Action, AllowRule, Assessment } from '../../protocol/events/event';
import type { RuleOffer, RuleRefusal } from '../../protocol/panel/panel';
import type { Tool } from '../ports/tool';
import { isAllowedByRule, rulePlace, shapeOf, type RuleContext } from './allowRules';
import { groundsOf } from '../risk/assessment';
import { cardSentence } from '../shell/verdict/sentences';
import { pathAnalyzer } from './pathAnalyzer';
import type { Subject } from '../ports/analyzer';

/**
 * The standing rules offered for an action, each with a description of what it would allow. If none can be offered,
 * `refusal` says why.
 */
export interface OfferedRules {
  readonly offers: readonly (RuleOffer & { readonly rule: AllowRule })[];
  readonly refusal?: RuleRefusal;
}

/** Judges a call of the same tool in the current state. */
type Judge = (input: unknown) => Promise<Assessment>;

/**
 * Returns the standing permissions that a person may give for a waiting action: for this exact call; for the same
 * command with other plain words; or for anything in this project with the same reasons. The last two are offered only
 * for low and medium risk.
 */
export async function offeredRules(action: Action, around: RuleContext, judge: Judge): Promise<OfferedRules> {
  const { tool, history, shell } = around;
  const { risk, effect, input } = action;
  const call = tool?.bind(input);
  const refusal = ruleRefusal(action, tool);
  if (!tool || !call || refusal) return { offers: [], refusal: refusal ?? 'unfit' };
  const cwd = rulePlace(effect, tool, history);
  const same = { tool: tool.name, key: call.allowKey!, ...(cwd !== undefined && { cwd }), within: risk };
  const shape =
    risk.level === 'low' || risk.level === 'medium' ? await shapeOf(call.touches.command, shell) : undefined;
  const isOnePlace = tool.from !== undefined || tool.keepsToKey === true;
  // A permission to delete or move a file does not allow editing it. People see the equivalent command instead.
  const isNamedAsCommand = !isOnePlace && call.touches.sameAs !== undefined;
  const { command, sameAs, writes = [], reads = [] } = call.touches;
  const shown = isOnePlace ? call.allowKey! : (command ?? sameAs ?? [...writes, ...reads].join(', '));
  const offers: { scope: RuleOffer['scope']; shown: string; rule: AllowRule }[] = [
    { scope: 'exact', shown, rule: same },
  ];
  if (shape?.includes(null))
    offers.push({
      scope: 'similar',
      shown: formatShape(shape, '…'),
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
        ...(await examples({ rule: offer.rule, shape, action, around, judge })),
        ...about(offer.rule, isNamedAsCommand && offer.scope === 'exact' ? undefined : effect),
      })),
    ),
  };
}

/** Returns why no standing permission can be given for a waiting action, or undefined if one can. */
export function ruleRefusal(
  { risk, input }: Pick<Action, 'risk' | 'input'>,
  tool: Tool | undefined,
): RuleRefusal | undefined {
  const isOnePlace = tool?.from !== undefined || tool?.keepsToKey === true;
  const refusal = assessmentRefusal(risk, isOnePlace);
  if (refusal) return refusal;
  return tool?.bind(input).allowKey === undefined ? 'unfit' : undefined;
}

/** `isOnePlace`: the tool reaches only one place, whatever its input, so that a permission leads nowhere else. */
function assessmentRefusal(
  { floor, guarded, tainted, level, reach, categories }: Assessment,
  isOnePlace: boolean,
): RuleRefusal | undefined {
  if (floor) return 'floor';
  if (tainted) return 'tainted';
  if (guarded) return 'guarded';
  if (level === 'low' || level === 'medium' || (isOnePlace && level === 'unknown' && !reach?.secret)) return undefined;
  if (reach?.secret || categories?.includes('protected')) return 'secret';
  return reach?.network ? 'network' : undefined;
}

/** Permissions for kinds are broad, so they are offered only if nothing leaves the project and no script was judged. */
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
  reasons: groundsOf(within!).map(cardSentence),
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
const maxExamples = 3;

/** A rule with what is needed to try it on other calls. */
interface Trial {
  readonly rule: AllowRule;
  readonly shape: readonly (string | null)[] | undefined;
  readonly action: Action;
  readonly around: RuleContext;
  readonly judge: Judge;
}

/** Returns examples of what the rule covers and what it does not, found by evaluating the rule itself. */
async function examples(trial: Trial): Promise<Pick<RuleOffer, 'covers' | 'asks'>> {
  const { rule, shape, action } = trial;
  if (rule.scope === undefined) return { covers: [], asks: [] };
  if (action.effect !== 'executes') {
    const opens = (path: string): Promise<boolean> => allows(trial, action.input, touching(path, action.effect));
    return { covers: await coveredSamples(paths, opens), asks: await uncoveredSamples(alarmingPaths, opens) };
  }
  const runs = (command: string): Promise<boolean> => allows(trial, withCommand(action, command));
  if (rule.scope === 'similar' && shape) {
    const [one, another] = [formatShape(shape, 'one'), formatShape(shape, 'another')];
    return {
      covers: await coveredSamples([one, another], runs),
      asks: await uncoveredSamples([`${one} --force`, `${one} && rm -rf src`], runs),
    };
  }
  // A command with the same risk as the action is a better example than one with less.
  const runsAlike = async (command: string): Promise<boolean> => {
    const { level } = await trial.judge(withCommand(action, command));
    return level === rule.within!.level && runs(command);
  };
  return { covers: await coveredSamples(everyday, runsAlike), asks: await uncoveredSamples(alarming, runs) };
}

/** Returns whether the rule allows a call with this input. `risk`: judged from the input if absent. */
async function allows({ rule, action, around, judge }: Trial, input: unknown, risk?: Assessment): Promise<boolean> {
  return isAllowedByRule({ ...action, input, risk: risk ?? (await judge(input)) }, [rule], around);
}

const withCommand = ({ input }: Action, command: string): object => ({ ...(input as object), command });

type IsCovered = (sample: string) => Promise<boolean>;

/** Returns the first few samples that are covered. */
const coveredSamples = (samples: readonly string[], isCovered: IsCovered): Promise<string[]> =>
  firstMatching(samples, (sample) => isCovered(sample).catch(() => false));

/** Returns the first few samples that are not covered. A failure counts as not covered. */
const uncoveredSamples = (samples: readonly string[], isCovered: IsCovered): Promise<string[]> =>
  firstMatching(samples, async (sample) => !(await isCovered(sample).catch(() => false)));

async function firstMatching(
  samples: readonly string[],
  isWanted: (sample: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for (const sample of samples) {
    if (found.length === maxExamples) break;
    if (await isWanted(sample)) found.push(sample);
  }
  return found;
}

function touching(path: string, effect: Action['effect']): Assessment {
  return pathAnalyzer.assess({
    call: { touches: effect === 'reads' ? { reads: [path] } : { writes: [path] } },
  } as unknown as Subject) as Assessment;
}

/** Formats a shape as a command line. */
const formatShape = (shape: readonly (string | null)[], other: string): string =>
  shape
    .map((word) => {
      if (word === null) return other;
      return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
    })
    .join(' ');
