import type { RunPlace } from '../../src/protocol/events/confirmation';
import { Icon } from './Icon';
import { Visible } from './VisibleText';

const icons: Readonly<Record<RunPlace['runs'], string>> = {
  inside: 'shield',
  unconfined: 'unlock',
  nowhere: 'circle-slash',
};

/** Where a command will run, and what that place may touch, in one line. */
export const PlaceLine = ({ place }: { place: RunPlace }) => (
  <p class={`place ${place.runs}`} data-testid="place">
    <Icon name={icons[place.runs]} /> <Visible words={place.words} />
  </p>
);
