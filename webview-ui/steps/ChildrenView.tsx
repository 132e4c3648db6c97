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
  const line = words.trim().split('\n', 1)[0]!;
  const said =
    line || (state === 'waiting' && waitsFor.length > 0 ? text('child.waitsFor', { what: waitsFor.join(', ') }) : '');
  return (
    <li class={`child is-${tone}`} data-testid="child">
      {tone === 'running' ? <Spinner /> : <Icon name={icon} />}
      <span class="child-words">
        <span class="child-title">{title}</span>
        <span class="child-state">{text(`child.${state}`)}</span>
        {said && (
          <span class="dim child-said" title={words}>
            {said}
          </span>
        )}
      </span>
      {report && report.status !== 'not_run' && (
        <span class="meta">
          {[
            counted('header.steps', report.steps),
            formatMoney(report.usage.cost) === text('unknown') ? '' : formatMoney(report.usage.cost),
            report.seconds >= 0.05 && formatDuration(report.seconds * 1000),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
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
