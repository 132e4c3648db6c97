import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RuleOffer, RuleScope } from '../../src/protocol/panel';
import type { RuleOffers } from '../state';
import { text, type TextKey } from '../text';
import { Icon } from './Icon';
import { VisibleText } from './VisibleText';

/** What may be allowed for ever, each with what it would let run. Choosing one decides nothing yet. */
export function AlwaysAllow({ rules, chosen, onChoose }: { rules: RuleOffers | undefined; chosen: RuleScope; onChoose: (scope: RuleScope) => void }) {
  const list = useRef<HTMLFieldSetElement>(null);
  const known = rules !== undefined;
  // The keys that choose are at hand as soon as there is something to choose.
  useLayoutEffect(() => {
    list.current?.querySelector('input')?.focus({ preventScroll: true });
    // After the feed has measured the card anew and gone to its end.
    requestAnimationFrame(() => requestAnimationFrame(() => list.current?.scrollIntoView({ block: 'start' })));
  }, [known]);
  if (!rules) return <p class="dim" role="status">{text('allow.looking')}</p>;
  if (rules.refusal) return <p class="allow-refused" role="status" data-testid="allow-refused"><Icon name="circle-slash" /> {text(`allow.refused.${rules.refusal}`)}</p>;
  return (
    <fieldset class="allow" data-testid="allow" ref={list}>
      <legend>{text('allow.legend')}</legend>
      {rules.offers.map(offer => (
        <label key={offer.scope} class="offer" data-testid={`allow-${offer.scope}`}>
          <input type="radio" name={`allow-${rules.actionId}`} checked={offer.scope === chosen} onChange={() => onChoose(offer.scope)} />
          <span class="offer-words"><strong>{text(titleOf(offer))}</strong><Coverage offer={offer} /></span>
        </label>
      ))}
      {rules.offers.length === 1 && <p class="dim">{text('allow.onlyExact')}</p>}
      <p class="dim">{text('allow.never')}</p>
    </fieldset>
  );
}

const titleOf = ({ scope, effect }: RuleOffer): TextKey => (scope === 'kind' ? 'allow.kind' : effect === 'executes' ? `allow.${scope}` : effect === 'writes' ? 'allow.file' : 'allow.call');

function Coverage({ offer: { scope, shown, covers, asks, reasons, level, scripts, cwd } }: { offer: RuleOffer }) {
  return (
    <>
      {(shown || cwd !== undefined) && <span class="covered">{shown && <span class="code-font shown"><VisibleText words={shown} /></span>}{cwd !== undefined && <span class="dim">{text('allow.in')} <span class="code-font"><VisibleText words={cwd} /></span></span>}</span>}
      {scope === 'kind' && <span>{reasons.length > 0 ? text('allow.noMoreThan', { reasons: reasons.join(' ') }) : text('allow.looks')}</span>}
      {scope === 'exact' && level !== 'low' && <span class="dim">{text('allow.sameRisk')}</span>}
      {scripts > 0 && <span class="dim">{text('allow.scripts')}</span>}
      <Examples title={text('allow.covers')} of={covers} />
      <Examples title={text('allow.asks')} of={asks} />
    </>
  );
}

function Examples({ title, of }: { title: string; of: readonly string[] }) {
  if (of.length === 0) return null;
  return <span class="examples"><span class="dim">{title}</span>{of.map(one => <span key={one} class="code-font example"><VisibleText words={one} /></span>)}</span>;
}
