import type { ModelOffer } from '../../src/protocol/panel/panel';
import { Icon } from '../parts/Icon';
import { post } from '../base/host';
import { state } from '../state/store';
import { text } from '../base/text';

const icons: Readonly<Record<string, string>> = {
  vscode: 'vscode',
  extension: 'extensions',
  local: 'search',
  endpoint: 'globe',
  tutorial: 'mortar-board',
};

/** First start: ways to connect a model, in the host's order. */
export function Welcome() {
  const offers = state.value.offers ?? [];
  const inGroup = (group: ModelOffer['group']): ModelOffer[] => offers.filter((offer) => offer.group === group);
  const others = inGroup(undefined);
  const signedIn = others.filter(({ id, available }) => available && (id === 'vscode' || id === 'extension'));
  return (
    <main class="welcome">
      <h2>{text('welcome.title')}</h2>
      <p class="dim">{text('welcome.help')}</p>
      {others.some(({ id }) => id === 'tutorial') && (
        <p>
          <button type="button" class="link" data-testid="try-tutorial" onClick={() => chooseModel('tutorial')}>
            {text('welcome.tutorial')}
          </button>
        </p>
      )}
      {signedIn.length > 0 && (
        <ul>
          {signedIn.map((offer) => (
            <WideOffer key={offer.id} offer={offer} />
          ))}
        </ul>
      )}
      <ProviderGroup title={text('welcome.providers')} offers={inGroup('provider')} />
      <ProviderGroup title={text('welcome.machine')} offers={inGroup('machine')} />
      <ul>
        {others
          .filter((offer) => !signedIn.includes(offer))
          .map((offer) => (
            <WideOffer key={offer.id} offer={offer} />
          ))}
      </ul>
    </main>
  );
}

/** Providers side by side, by name. An existing key is indicated below the name. */
function ProviderGroup({ title, offers }: { title: string; offers: readonly ModelOffer[] }) {
  if (offers.length === 0) return null;
  return (
    <section class="offer-group">
      <h3>{title}</h3>
      <ul class="offer-grid">
        {offers.map(({ id, label, detail }) => (
          <li key={id}>
            <button
              type="button"
              class={icons[id] ? 'offer chip searching' : 'offer chip'}
              data-testid={`offer-${id}`}
              title={detail}
              onClick={() => chooseModel(id)}
            >
              <span class="offer-label">
                {icons[id] && <Icon name={icons[id]!} />}
                {label}
              </span>
              {detail && !icons[id] && (
                <span class="dim offer-key">
                  <Icon name="key" />
                  <span>{detail}</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WideOffer({ offer: { id, label, detail, available } }: { offer: ModelOffer }) {
  return (
    <li>
      <button
        type="button"
        class="offer"
        data-testid={`offer-${id}`}
        disabled={!available}
        onClick={() => chooseModel(id)}
      >
        <Icon name={icons[id] ?? 'server-environment'} />
        <span>
          <span class="offer-label">{label}</span>
          <span class="dim">{detail}</span>
        </span>
      </button>
    </li>
  );
}

const chooseModel = (offer: string): void => post({ type: 'choose_model', offer });
