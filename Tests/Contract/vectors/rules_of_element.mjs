#!/usr/bin/env node
// Compares what the element notes with the table of outcomes under `rules`. Its script needs a browser for all else.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import vm from 'node:vm';

const read = (path) => fs.readFileSync(new URL(path, import.meta.url), 'utf8');
let today = 0;
const surroundings = {
  Date: { now: () => today * 86_400_000 }, Math, TextDecoder, encoder: new TextEncoder(), setTimeout: () => {},
};
const script = `${read('../../../Sources/Engine/WidgetElement/Scripts/registry.js')}\nglobalThis.RegistryHost = RegistryHost`;
const { RegistryHost } = vm.runInNewContext(`${script}\nglobalThis`, surroundings);

for (const { about, steps } of JSON.parse(read('rules/outcomes.json')).rows) {
  const host = Object.assign(new RegistryHost({ registry: 'https://r.example', widget: 'w' }), { reports: true });
  const state = { releases: {} };
  // Through JSON, as they are sent: objects of another context are not equal to those of this one.
  const take = () => JSON.parse(JSON.stringify(state.waiting?.splice(0) ?? []));
  for (const { take: taken, count, note, release, content, contents, day, until = day, reason } of steps) {
    if (taken) assert.deepEqual(take(), taken, about);
    else if (count) assert.equal(take().length, count, about);
    for (today = day; note && today <= until; today++) {
      for (let number = 0; number < (contents ?? 1); number++) {
        host.note(state, content + (contents ? number : ''), note, reason, { release });
      }
    }
  }
  host.reports = false;
  host.note(state, 'other', 'installed', undefined, { release: '1~1' });
  assert.deepEqual(take(), [], about);
}
console.log('vectors: the element notes outcomes by the rule');
