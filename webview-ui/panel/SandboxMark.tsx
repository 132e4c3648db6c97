import type { PanelFacts } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { text } from '../base/text';

/** Whether commands run in a sandbox; a click says why, and what can be done. */
export function SandboxMark({ sandbox: { on, words } }: { sandbox: NonNullable<PanelFacts['sandbox']> }) {
  const name = text(on ? 'header.sandbox' : 'header.noSandbox');
  return (
    <button
      type="button"
      class={`icon-button sandbox codicon codicon-${on ? 'shield' : 'unlock'} ${on ? '' : 'off'}`}
      data-testid="sandbox"
      title={`${name}\n${words}`}
      aria-label={`${name}. ${words}`}
      onClick={() => post({ type: 'command', id: 'waymark.showSandbox' })}
    />
  );
}
