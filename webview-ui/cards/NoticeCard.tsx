import type { EventOf } from '../../src/protocol/event';
import type { RowOf } from '../rows';
import { isOpen, setOpen } from '../store';
import { counted, text } from '../text';
import { Card } from './Card';
import { Icon } from './Icon';

interface Words { readonly icon: string; readonly line: string; readonly more?: string; readonly warning?: boolean }

/** Things worth a dim line. */
export function NoticeCard({ row }: { row: RowOf<'notice'> }) {
  const { icon, line, more, warning } = wordsOf(row.event);
  const open = isOpen(row.key);
  if (!line) return null;
  return (
    <Card row={row} class={warning ? 'notice warning' : 'notice'} label={line}>
      <div class="notice-line"><Icon name={icon} /><span>{line}</span>{more && <button type="button" class="icon-button" data-toggle aria-expanded={open} aria-label={text('step.result')} onClick={() => setOpen(row.key, !open)}><Icon name={open ? 'chevron-down' : 'chevron-right'} /></button>}</div>
      {open && more && <div class="step-body plain dim">{more}</div>}
    </Card>
  );
}

function wordsOf(event: RowOf<'notice'>['event']): Words {
  switch (event.type) {
    case 'notice': return { icon: event.level === 'warning' ? 'warning' : 'info', line: event.text, warning: event.level === 'warning' };
    case 'allow_rule_added': return { icon: 'verified', line: ruleWords(event.rule) };
    case 'condensation': return { icon: 'fold', line: counted('notice.condensed', event.forgotten.length), more: event.summary };
    case 'feedback': return { icon: event.cause === 'interruption' ? 'debug-stop' : 'info', line: text(`notice.${event.cause}`), ...(event.cause !== 'interruption' && { more: event.text }) };
    case 'resumed': return { icon: 'debug-continue', line: '' };
    case 'settings_changed': return { icon: 'settings', line: settingsWords(event) };
  }
}

const ruleWords = ({ tool, key, cwd }: EventOf<'allow_rule_added'>['rule']): string => (cwd === undefined ? text('notice.rule', { tool, key }) : text('notice.ruleIn', { tool, key, cwd }));

const settingsWords = ({ model, confirmation, limits, title }: EventOf<'settings_changed'>): string => [
  model && text('notice.settings.model', { name: model.name, provider: model.provider }),
  confirmation && text('notice.settings.confirmation', { mode: text(`header.mode.${confirmation}`) }),
  limits && text('notice.settings.limits'),
  title !== undefined && text('notice.settings.title', { title }),
].filter(Boolean).join(' · ');
