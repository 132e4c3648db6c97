import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Action } from '../../../src/protocol/events/event';
import type { RuleOffer, RuleScope } from '../../../src/protocol/panel/panel';
import type { RuleOffers } from '../../state/state';
import { text, type TextKey } from '../../base/text';
import { Icon } from '../../parts/Icon';
import { VisibleText } from '../../parts/VisibleText';

interface AlwaysAllowProps {
  readonly action: Action;
  readonly rules: RuleOffers | undefined;
  readonly chosen: RuleScope;
  readonly onChoose: (scope: RuleScope) => void;
}

/** Scrolls only the feed. `scrollIntoView` would also scroll the frames around the panel, which VS Code made. */
function scrollToTop(element: HTMLElement): void {
  const feed = element.closest('.feed');
  if (feed) feed.scrollTop += element.getBoundingClientRect().top - feed.getBoundingClientRect().top;
}

/** Permanent permissions to choose from, each with what it would allow. Choosing one grants nothing yet. */
export function AlwaysAllow({ action, rules, chosen, onChoose }: AlwaysAllowProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const known = rules !== undefined;
  // Focus the choices as soon as they are loaded.
  useLayoutEffect(() => {
    list.current?.querySelector('input')?.focus({ preventScroll: true });
    // Scroll after the feed has measured the card and moved to its end.
    requestAnimationFrame(() => requestAnimationFrame(() => list.current && scrollToTop(list.current)));
  }, [known]);
  if (!rules)
    return (
      <p class="dim" role="status">
        {text('allow.looking')}
      </p>
    );
  if (rules.refusal)
    return (
      <p class="allow-refused" role="status" data-testid="allow-refused">
        <Icon name="circle-slash" /> {text(`allow.refused.${rules.refusal}`)}
      </p>
    );
  return (
    <fieldset class="allow" data-testid="allow" ref={list}>
      <legend>{text('allow.legend')}</legend>
      {rules.offers.map((offer) => (
        <label key={offer.scope} class="offer" data-testid={`allow-${offer.scope}`}>
          <input
            type="radio"
            name={`allow-${rules.actionId}`}
            checked={offer.scope === chosen}
            onChange={() => onChoose(offer.scope)}
          />
          <span class="offer-words">
            <strong>
              <Sentence of={sentenceOf(offer, action)} what={offer.shown} />
            </strong>
            <Coverage offer={offer} />
          </span>
        </label>
      ))}
      {dependsOnWords(rules.offers, action) && <p class="dim">{text('allow.onlyExact')}</p>}
      <p class="dim">{text('allow.never')}</p>
    </fieldset>
  );
}

/**
 * True if only this exact command can be allowed. Tools that delete or move files are displayed as a command but are
 * none.
 */
const dependsOnWords = ([only, ...more]: readonly RuleOffer[], action: Action): boolean =>
  only !== undefined &&
  action.effect !== 'writes' &&
  more.length === 0 &&
  sentenceOf(only, action).startsWith('allow.exact');

/** Returns the sentence that describes a permission, with a placeholder for the command or file. */
function sentenceOf({ scope, effect, scripts }: RuleOffer, { from }: Action): TextKey {
  if (scope === 'kind' && effect === 'writes') return 'allow.kind.edits';
  if (scope === 'kind') return effect === 'reads' ? 'allow.kind.reads' : 'allow.kind';
  if (from) return 'allow.tool';
  if (effect === 'writes') return 'allow.file';
  if (effect === 'reads') return 'allow.reading';
  if (scope === 'similar') return scripts > 0 ? 'allow.similar.scripts' : 'allow.similar';
  return scripts > 0 ? 'allow.exact.scripts' : 'allow.exact';
}

/** A sentence that shows `what` as code. */
function Sentence({ of: key, what }: { of: TextKey; what: string }): ComponentChildren {
  const gap = '\u0000';
  const [before, after] = text(key, { what: gap }).split(gap);
  if (after === undefined) return before;
  return (
    <>
      {before}
      <span class="code-font shown">
        <VisibleText words={what} />
      </span>
      {after}
    </>
  );
}

function Coverage({ offer: { scope, covers, asks, reasons, level, cwd } }: { offer: RuleOffer }) {
  return (
    <>
      {cwd !== undefined && (
        <span class="dim">
          {text('allow.in')}{' '}
          <span class="code-font">
            <VisibleText words={cwd} />
          </span>
        </span>
      )}
      {scope === 'kind' && (
        <span>
          {reasons.length > 0 ? text('allow.noMoreThan', { reasons: reasons.join(' ') }) : text('allow.looks')}
        </span>
      )}
      {scope === 'exact' && level !== 'low' && <span class="dim">{text('allow.sameRisk')}</span>}
      <Examples title={text('allow.covers')} of={covers} />
      <Examples title={text('allow.asks')} of={asks} />
    </>
  );
}

function Examples({ title, of }: { title: string; of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <span class="examples">
      <span class="dim">{title}</span>
      {of.map((one) => (
        <span key={one} class="code-font example">
          <VisibleText words={one} />
        </span>
      ))}
    </span>
  );
}
