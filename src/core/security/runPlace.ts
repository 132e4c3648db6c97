import type { Assessment, RunPlace } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { Environment } from '../ports/environment';
import type { TerminalPlace } from '../ports/terminal';
import type { BoundTool, Tool } from '../ports/tool';
import { weightOf } from '../../protocol/plain/riskWords';
import { lastDenial } from './sandbox';

const unconfined: TerminalPlace = { runs: 'unconfined', domains: [] };

/**
 * Returns where a command would run if approved now, and which other answers are possible. Returns undefined for a call
 * that runs no command.
 */
export async function runPlace({
  tool,
  call,
  environment,
  history,
  risk,
}: {
  readonly tool: Tool;
  readonly call: BoundTool;
  readonly environment: Environment;
  readonly history: History;
  readonly risk: Assessment;
}): Promise<RunPlace | undefined> {
  const { command, types = false } = call.touches;
  if (command === undefined) return undefined;
  const { terminal } = environment;
  const place = (await terminal.place?.(types)) ?? unconfined;
  const mayLeave = place.runs === 'inside' && !types && terminal.outside !== undefined;
  return {
    runs: place.runs,
    words: place.words ?? describePlace(place),
    ...(mayLeave && {
      outside: lastDenial(tool, command, history) === undefined ? 'possible' : 'first',
      outsideWords,
      ...(place.domains.length === 0 && needsNetwork(risk) && { needsNetwork: true }),
    }),
    ...(call.withCommand && { editable: true }),
  };
}

const outsideWords = 'Outside the sandbox, it runs with all rights of your account.';

/** True if it cannot succeed without network. A dangerous command should not be offered the network first. */
const needsNetwork = (risk: Assessment): boolean =>
  weightOf(risk) !== 'danger' && (risk.categories ?? []).some((each) => each === 'network' || each === 'packages');

/** Describes in one line for people where the command runs and what it can access there. */
function describePlace({ runs, domains, why = 'there is no sandbox' }: TerminalPlace): string {
  if (runs === 'unconfined') return `Runs with all rights of your account: ${why}.`;
  if (runs === 'nowhere') return `Does not run: ${why}.`;
  const network = domains.length === 0 ? 'no network' : `reaches ${someDomains(domains)} only`;
  return `Runs in the sandbox: writes only this workspace, ${network}.`;
}

/** Maximum number of domains named in the single line on a card. */
const maxNamed = 3;

function someDomains(domains: readonly string[]): string {
  const more = domains.length - maxNamed;
  if (more > 0)
    return `${domains.slice(0, maxNamed).join(', ')} and ${more} more allowed ${more === 1 ? 'domain' : 'domains'}`;
  const last = domains.at(-1)!;
  return domains.length === 1 ? last : `${domains.slice(0, -1).join(', ')} and ${last}`;
}
