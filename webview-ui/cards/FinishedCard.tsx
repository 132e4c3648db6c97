import type { FromPanel } from '../../src/protocol/panel/panel';
import { spokenLine } from '../../src/protocol/plain/withoutMarkup';
import { formatDuration } from '../base/format';
import type { RowOf } from '../state/rows';
import { post } from '../base/host';
import { Markdown } from '../markdown/Markdown';
import { askPastChanges, facts, isRunning, loadEarlier, pastChanges, pendingChanges, writable } from '../state/store';
import { text, type TextKey } from '../base/text';
import { withPast, type Changed, type Ran, type Summary } from '../base/summary';
import { longUsage } from '../base/usage';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';
import { Parts } from '../parts/Parts';
import { ResultList } from '../parts/ResultList';
import { describeCommandEnd } from '../steps/stepWords';
import { ReviewList } from './ReviewList';
import { useEffect, useState } from 'preact/hooks';
import type { EventOf } from '../../src/protocol/events/event';

const icons = { submitted: 'pass-filled', limit_exceeded: 'dashboard', failed: 'error', stopped: 'debug-stop' };

/** The end of a run: changes, commands with their outcomes, and cost, all computed from the events. */
export function FinishedCard({ row }: { row: RowOf<'finished'> }) {
  const { event, summary } = row;
  const { status, problem } = event;
  const words = event.cause !== 'answer' && event.summary.trim() && event.summary !== problem?.what && (
    <Markdown source={event.summary} />
  );
  const again = row.last && status !== 'submitted' && writable.value !== false;
  return (
    <Card
      row={row}
      class={`finished ${status}`}
      label={`${text(`finished.${status}`)}. ${problem?.what ?? spokenLine(event.summary, 300)}`}
    >
      <div data-testid="finished" data-status={status}>
        <h2 class="finished-head">
          <Icon name={icons[status]} />
          {text(`finished.${status}`)}
        </h2>
        {problem && (
          <div class="problem-words">
            <p>
              <strong>{problem.what}</strong>
            </p>
            <p>{problem.why}</p>
            <p>{problem.next}</p>
          </div>
        )}
        {!problem && words}
        {again && status === 'limit_exceeded' && <LimitForm cause={event.cause} />}
        {again && status === 'stopped' && (
          <div class="buttons">
            <button type="button" class="primary" data-testid="retry" onClick={() => post({ type: 'resume' })}>
              {text('finished.resume')}
            </button>
          </div>
        )}
        {again && status === 'failed' && <AfterFailure event={event} summary={summary} />}
        {problem && words}
        <ResultList results={event.results ?? []} />
        <ChangesOfRun row={row} />
        <Commands summary={summary} />
        {summary.spent.steps > 0 && <UsageLine summary={summary} />}
        {!summary.complete && (
          <p class="dim">
            {text('finished.incomplete')}{' '}
            <button type="button" class="link" onClick={loadEarlier}>
              {text('finished.loadEarlier')}
            </button>
          </p>
        )}
      </div>
    </Card>
  );
}

/** Steps, tokens, cost and duration of the run. A scripted model has neither tokens nor a price. */
function UsageLine({ summary }: { summary: Summary }) {
  const scripted = summary.scripted ?? facts.value?.model?.scripted ?? false;
  return (
    <p class="dim used" data-testid="used">
      <Parts words={`${longUsage(summary.spent, { scripted })} · ${formatDuration(summary.durationMs)}`} />
    </p>
  );
}

/** What resuming means after a failure. */
function resumeLabel(cause: RowOf<'finished'>['event']['cause'], { isTooLong }: { isTooLong: boolean }): TextKey {
  if (isTooLong) return 'finished.condense';
  return cause === 'going_in_circles' ? 'finished.resume' : 'finished.retry';
}

/** Ways to continue after a failure, the most useful one first. */
function AfterFailure({
  event: { cause, problem },
  summary: { isShortest },
}: Pick<RowOf<'finished'>, 'event' | 'summary'>) {
  const remedy = problem?.remedy;
  const isTooLong = cause === 'context_overflow' && !isShortest;
  // A repeated request would be rejected again, so that resuming condenses the conversation first.
  const goOn = (): void => {
    if (isTooLong) post({ type: 'condense' });
    post({ type: 'resume' });
  };
  const resume = (
    <button
      type="button"
      class={remedy && !isTooLong ? 'secondary' : 'primary'}
      data-testid={isTooLong ? 'condense-and-go-on' : 'retry'}
      onClick={goOn}
    >
      {text(resumeLabel(cause, { isTooLong }))}
    </button>
  );
  return (
    <div class="buttons">
      {isTooLong && resume}
      {isTooLong && (
        <button type="button" class="secondary" data-testid="new-session" onClick={() => post({ type: 'new_session' })}>
          {text('banner.newSession')}
        </button>
      )}
      {remedy && <CommandButton id={remedies[remedy]} word={`finished.${remedy}`} first={!isTooLong} testId="remedy" />}
      {!isTooLong && (
        <>
          {resume}
          <CommandButton id="waymark.openSettings" word="finished.settings" />
          <CommandButton id="waymark.showLog" word="finished.openLog" />
        </>
      )}
    </div>
  );
}

/** Commands of the remedies that a problem suggests. */
const remedies = { set_api_key: 'waymark.setApiKey', choose_model: 'waymark.chooseModel' } as const;

interface CommandButtonProps {
  readonly id: Extract<FromPanel, { type: 'command' }>['id'];
  readonly word: TextKey;
  readonly first?: boolean;
  readonly testId?: string;
}

const CommandButton = ({ id, word, first = false, testId }: CommandButtonProps) => (
  <button
    type="button"
    class={first ? 'primary' : 'secondary'}
    data-testid={testId}
    onClick={() => post({ type: 'command', id })}
  >
    {text(word)}
  </button>
);

const kindIcons = { created: 'diff-added', modified: 'diff-modified', deleted: 'diff-removed' };

/** The files to review, or if there are none or the run is an earlier one, those that it changed. */
function ChangesOfRun({ row: { last, summary } }: { row: RowOf<'finished'> }) {
  const { value: pending } = pendingChanges;
  const isReviewed = last && pending !== undefined;
  const isToReview = isReviewed && pending.total > 0;
  useEffect(() => {
    if (!isToReview) askPastChanges(pending);
  }, [pending, isToReview, isRunning.value]);
  if (isToReview) return <ReviewList />;
  return <Changes changes={withPast(summary, pastChanges.value)} isReviewed={isReviewed} />;
}

const maxFiles = 50;

/** Files that the run changed. The net change of several edits to one file cannot be computed from the events. */
function Changes({ changes, isReviewed }: { changes: readonly Changed[]; isReviewed: boolean }) {
  if (changes.length === 0) return null;
  return (
    <section>
      <h3>{text(isReviewed ? 'finished.reviewed' : 'finished.changes')}</h3>
      <ul class="plain-list">
        {changes.slice(0, maxFiles).map((change) => (
          <li key={change.path}>
            <span
              class={`codicon codicon-${kindIcons[change.kind]}`}
              role="img"
              aria-label={text(
                (
                  { created: 'step.created', modified: 'step.edited', deleted: 'step.deleted' } satisfies Record<
                    string,
                    TextKey
                  >
                )[change.kind],
              )}
            />
            {change.isByCommand ? (
              <span class="file">{change.path}</span>
            ) : (
              <button
                type="button"
                class="link file"
                title={change.path}
                onClick={() => post({ type: 'open_diff', actionId: change.actionId, path: change.path })}
              >
                {change.path}
              </button>
            )}
            {change.isReverted && (
              <span class="meta" title={text('finished.revertedWhy')}>
                {text('finished.reverted')}
              </span>
            )}
            {change.edits === 1 && !change.isByCommand && !change.isReverted && (
              <span class="meta counts">
                <span class="added">+{change.added}</span> <span class="removed">−{change.removed}</span>
              </span>
            )}
          </li>
        ))}
        {changes.length > maxFiles && <li class="dim">{text('review.more', { n: changes.length - maxFiles })}</li>}
      </ul>
    </section>
  );
}

const maxCommands = 8;
const maxRuns = 4;

/** Formats how the runs of a command ended, latest last: "exit 1 → 1 → 0". */
function outcomesOf({ runs }: Ran): string {
  const latest = runs.slice(-maxRuns);
  const joined = (words: string[]): string => [...(runs.length > maxRuns ? ['…'] : []), ...words].join(' → ');
  const code = (exitCode: number | null): string | number => exitCode ?? text('unknown');
  if (latest.every(({ end }) => end === 'exited'))
    return text('step.exit', { code: joined(latest.map(({ exitCode }) => String(code(exitCode)))) });
  return joined(latest.map(describeCommandEnd));
}

/** Icon and class for how the last run of a command ended. */
function markOf(last: Ran['runs'][number] | undefined): readonly [icon: string, name: string] {
  if (last?.end === 'exited' && last.exitCode === 0) return ['check', 'good'];
  return last?.exitCode ? ['error', 'bad'] : ['circle-small', 'dim'];
}

function Commands({ summary: { commands } }: { summary: Summary }) {
  if (commands.length === 0) return null;
  const shown = commands.slice(-maxCommands);
  return (
    <section>
      <h3>
        {text('finished.commands')}
        {commands.length > shown.length && <span class="meta"> {`${shown.length} / ${commands.length}`}</span>}
      </h3>
      <ul class="plain-list">
        {shown.map((ran, index) => {
          const [icon, name] = markOf(ran.runs.at(-1));
          return (
            <li key={index}>
              <Icon name={icon} class={name} />
              <span class="code-font file" title={ran.command}>
                {ran.command}
              </span>
              <span class="meta">{outcomesOf(ran)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Limit = 'steps' | 'cost' | 'seconds';

/** Form for new limits after a run reached its own. Suggests twice the limit that was reached. */
function LimitForm({ cause }: { cause: EventOf<'finished'>['cause'] }) {
  const limits = facts.value?.limits ?? { steps: 0, cost: 0, seconds: 0 };
  const [wanted, setWanted] = useState(() => ({ ...limits, ...(isLimit(cause) && { [cause]: limits[cause] * 2 }) }));
  const asked: Limit[] = ['steps', 'cost', ...(limits.seconds > 0 ? ['seconds' as const] : [])];
  const enough = isLimit(cause) ? wanted[cause] === 0 || wanted[cause] > limits[cause] : true;
  const off = !enough || Object.values(wanted).some((value) => !Number.isFinite(value) || value < 0);
  const goOn = (): void => {
    if (!off) post({ type: 'set_limits', ...wanted });
  };
  return (
    <div class="limit-form" data-testid="limit-form">
      <p class="dim">{text('limit.help')}</p>
      <div class="limit-fields">
        {asked.map((limit) => (
          <label key={limit}>
            <span>{text(`limit.${limit}`)}</span>
            <input
              type="number"
              min={0}
              step={limit === 'cost' ? 'any' : 1}
              data-testid={`limit-${limit}`}
              value={wanted[limit]}
              onInput={(event) => setWanted({ ...wanted, [limit]: event.currentTarget.valueAsNumber })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.altKey) {
                  event.preventDefault();
                  goOn();
                }
              }}
            />
          </label>
        ))}
      </div>
      <button type="button" class="primary" data-testid="go-on" aria-disabled={off} onClick={goOn}>
        {text('limit.goOn')}
      </button>
    </div>
  );
}

const isLimit = (cause: string | undefined): cause is Limit =>
  cause === 'steps' || cause === 'cost' || cause === 'seconds';
