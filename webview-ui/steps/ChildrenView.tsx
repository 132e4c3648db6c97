import type { Child, Delegation } from '../state/children';
import { formatDuration, formatMoney } from '../base/format';
import { usePost } from '../base/host';
import { counted, text } from '../base/text';
import { Icon, Spinner } from '../parts/Icon';
import { PlanGraph, childTone } from './PlanGraph';

/** The sessions that an action started: status or result, cost, and a link. A plan is drawn above them. */
export function ChildrenView({ delegation }: { delegation: Delegation }) {
  const post = usePost();
  const open = (id: string): void => post({ type: 'open_session', id });
  if (delegation.children.length === 0) return null;
  return (
    <div class="children">
      {delegation.edges.length > 0 && <PlanGraph plan={delegation} onOpen={open} />}
      <ul aria-label={text('child.list')}>
        {delegation.children.map((child, index) => (
          <ChildRow
            key={child.session ?? index}
            child={child}
            onOpen={open}
            waitsFor={delegation.edges
              .filter(([, to]) => to === index)
              .map(([from]) => delegation.children[from]!.title.split(':', 1)[0]!)}
          />
        ))}
      </ul>
    </div>
  );
}

function ChildRow({
  child: { title, state, words, session, report },
  waitsFor,
  onOpen,
}: {
  child: Child;
  waitsFor: readonly string[];
  onOpen: (session: string) => void;
}) {
  const { tone, icon } = childTone[state];
  const firstLine = words.trim().split('\n', 1)[0]!;
  const isBlocked = state === 'waiting' && waitsFor.length > 0;
  const detail = firstLine || (isBlocked ? text('child.waitsFor', { what: waitsFor.join(', ') }) : '');
  return (
    <li class={`child is-${tone}`} data-testid="child">
      {tone === 'running' ? <Spinner /> : <Icon name={icon} />}
      <span class="child-words">
        <span class="child-title">{title}</span>
        <span class="child-state">{text(`child.${state}`)}</span>
        {detail && (
          <span class="dim child-said" title={words}>
            {detail}
          </span>
        )}
      </span>
      {report && report.status !== 'not_run' && <span class="meta">{factsOf(report)}</span>}
      {session && (
        <button
          type="button"
          class="link"
          data-testid="open-child"
          aria-label={text('child.openNamed', { title })}
          onClick={() => onOpen(session)}
        >
          {text('child.open')}
        </button>
      )}
    </li>
  );
}

/** Steps, cost and duration of a child session; without an unknown cost, and without a duration that rounds to 0. */
function factsOf({ steps, usage, seconds }: NonNullable<Child['report']>): string {
  const facts = [counted('header.steps', steps)];
  if (usage.cost !== null) facts.push(formatMoney(usage.cost));
  if (seconds >= 0.05) facts.push(formatDuration(seconds * 1000));
  return facts.join(' · ');
}
