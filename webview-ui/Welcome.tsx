import { Icon } from './cards/Icon';
import { post } from './host';
import { state } from './store';
import { text } from './text';

const icons = { vscode: 'vscode', extension: 'extensions', local: 'server-environment', endpoint: 'key', tutorial: 'mortar-board' };

/** First start: ways to get a model, in the host's order. */
export function Welcome() {
  const offers = state.value.offers ?? [];
  return (
    <main class="welcome">
      <h2>{text('welcome.title')}</h2>
      <p class="dim">{text('welcome.help')}</p>
      <ul>{offers.map(offer => (
        <li key={offer.id}>
          <button type="button" class="offer" data-testid={`offer-${offer.id}`} disabled={!offer.available} onClick={() => post({ type: 'choose_model', offer: offer.id })}>
            <Icon name={icons[offer.id]} />
            <span><span class="offer-label">{offer.label}</span><span class="dim">{offer.detail}</span></span>
          </button>
        </li>
      ))}</ul>
    </main>
  );
}
