import type { EventOf, Limits } from '../../src/protocol/events/event';
import type { RowOf } from '../state/rows';
import { isOpen, setOpen } from '../state/store';
import { text } from '../base/text';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';

/** Icons of the causes of feedback that have their own. */
const feedbackIcons: Readonly<Record<string, string>> = { interruption: 'debug-stop', going_in_circles: 'sync' };

interface Words {
  readonly icon: string;
  readonly line: string;
  readonly more?: string;
  readonly warning?: boolean;
}

/** Minor events, as a dim line. */
export function NoticeCard({ row }: { row: RowOf<'notice'> }) {
  const { icon, line, more, warning } = noticeContent(row.event);
  const open = isOpen(row.key);
  if (!line) return null;
  return (
    <Card row={row} class={warning ? 'notice warning' : 'notice'} label={line}>
      <div class="notice-line">
        <Icon name={icon} />
        <span>{line}</span>
        {more && (
          <button
            type="button"
            class="icon-button"
            data-toggle
            aria-expanded={open}
            aria-label={text('step.result')}
            onClick={() => setOpen(row.key, !open)}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          </button>
        )}
      </div>
      {open && more && <div class="step-body plain dim">{more}</div>}
    </Card>
  );
}

function noticeContent(event: RowOf<'notice'>['event']): Words {
  switch (event.type) {
    case 'notice':
    case 'hook_ran':
      return {
        icon: event.level === 'warning' ? 'warning' : 'info',
        line: event.text,
        warning: event.level === 'warning',
      };
    case 'allow_rule_added':
      return {
        icon: event.revoked ? 'circle-slash' : 'verified',
        line: event.revoked ? text('notice.ruleRevoked', { rule: ruleWords(event.rule) }) : ruleWords(event.rule),
      };
    case 'feedback':
      return {
        icon: feedbackIcons[event.cause] ?? 'info',
        line: feedbackLine(event),
        ...(event.cause !== 'interruption' && event.text && { more: event.text }),
      };
    case 'settings_changed':
      return { icon: 'settings', line: settingsWords(event) };
  }
}

/** For feedback about loops, returns the name of the pattern: the first sentence states it. */
function feedbackLine({ cause, text: words }: EventOf<'feedback'>): string {
  const pattern = cause === 'going_in_circles' ? /^[^.]+\([^()]+\)\./.exec(words)?.[0] : undefined;
  return pattern ?? text(`notice.${cause}`);
}

function ruleWords({ tool, key, cwd, pattern, scope, within }: EventOf<'allow_rule_added'>['rule']): string {
  if (pattern) return text('notice.rulePattern', { key });
  if (scope === 'kind')
    return within?.reasons.length
      ? text('notice.ruleKind', { reasons: within.reasons.join(' ') })
      : text('notice.ruleLooks');
  const words = scope === 'similar' ? (JSON.parse(key) as (string | null)[]).map((word) => word ?? '…').join(' ') : key;
  return cwd === undefined ? text('notice.rule', { tool, key: words }) : text('notice.ruleIn', { key: words, cwd });
}

const limitWords = (limits: Limits): string =>
  (['steps', 'cost', 'seconds'] as const)
    .filter((limit) => limits[limit] > 0)
    .map((limit) => text(`limit.words.${limit}`, { n: limits[limit] }))
    .join(', ') || text('limit.none');

const containerWords = (container: EventOf<'settings_changed'>['container']): string =>
  container ? text('notice.settings.container', { image: container.image }) : text('notice.settings.noContainer');

const settingsWords = ({
  model,
  confirmation,
  limits,
  title,
  mode,
  stepping,
  container,
}: EventOf<'settings_changed'>): string =>
  [
    model && text('notice.settings.model', { name: model.name, provider: model.provider }),
    confirmation && text('notice.settings.confirmation', { mode: text(`header.mode.${confirmation}`) }),
    mode && text('notice.settings.mode', { mode: text(`header.mode.${mode}`) }),
    stepping !== undefined && text(stepping ? 'notice.settings.stepping' : 'notice.settings.running'),
    limits && text('notice.settings.limits', { limits: limitWords(limits) }),
    title !== undefined && text('notice.settings.title', { title }),
    container !== undefined && containerWords(container),
  ]
    .filter(Boolean)
    .join(' · ');
