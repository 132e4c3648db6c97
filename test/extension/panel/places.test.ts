import { strict as assert } from 'node:assert';
import type { PanelPlace } from '../../../src/extension/panel/panelPlace';
import { Places } from '../../../src/extension/panel/places';

/** A place that shows a session. */
const showing = (id: string, isSeen = true): PanelPlace =>
  ({ shown: { id, showStored: async () => undefined }, outlet: { isSeen } }) as unknown as PanelPlace;

describe('the place that commands use', () => {
  it('is the one that the person used last, even if another covers it', () => {
    const changes: string[] = [];
    const sidebar = showing('s');
    const places: Places = new Places(sidebar, () => changes.push(places.current.shown.id!));
    const [first, covered] = [showing('a'), showing('b', false)];
    for (const tab of [first, covered]) places.add(tab);
    assert.equal(places.current, sidebar, 'a tab that is only there was not used');
    places.makeCurrent(covered);
    assert.equal(places.current, covered);
    assert.equal(places.isSeen('b'), false);
    places.remove(first);
    assert.equal(places.current, covered);
    places.remove(covered);
    assert.equal(places.current, sidebar);
    assert.deepEqual(changes, ['b', 's']);
  });

  it('does not become the active tab because a closing palette focused it', () => {
    const sidebar = showing('s');
    const places = new Places(sidebar, () => undefined);
    const tab = showing('a');
    places.add(tab);
    places.makeCurrent(tab);
    places.makeCurrent(sidebar);
    places.keptFocus(tab);
    assert.equal(places.current, sidebar);
    places.activated(tab);
    assert.equal(places.current, sidebar, 'an editor over the tab was closed, and the focus is elsewhere');
    places.keptFocus(tab);
    assert.equal(places.current, tab, 'the person selected the tab');
    places.keptFocus(sidebar);
    assert.equal(places.current, sidebar);
    places.keptFocus(tab);
    assert.equal(places.current, sidebar, 'the tab was selected before the side bar was used');
  });

  it('is the one in which a session was just shown', async () => {
    const sidebar = showing('s');
    const places = new Places(sidebar, () => undefined);
    const tab = showing('a');
    places.add(tab);
    assert.equal(await places.bring('a'), tab);
    assert.equal(places.current, tab);
    assert.equal(await places.bring('s'), sidebar);
    assert.equal(places.current, sidebar);
  });
});
