#!/usr/bin/env node
// Compares the functions of the host for node with the tables under `rules`.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Host } from '../../../Examples/JavaScriptHost/host.mjs';
import { note, ReportingHost, take } from '../../../Examples/JavaScriptHost/reporting.mjs';
import { archiveAddress, bucket, choose, contentDigest, delta, sha256 } from '../../../Examples/JavaScriptHost/registry.mjs';

const table = (name) => JSON.parse(fs.readFileSync(new URL(`rules/${name}.json`, import.meta.url)));

for (const { registry, url, address } of table('addresses').rows) {
  if (address) assert.equal(`${archiveAddress(registry, url)}`, address);
  else assert.throws(() => archiveAddress(registry, url), { reason: 'foreignAddress' }, url);
}

const { rows, fleet, ranges } = table('buckets');
for (const row of rows) assert.equal(Number(bucket(row.installation, row.bundle, row.salt)), row.bucket);
const names = Array.from({ length: fleet.count }, (_, number) => sha256(`${number}`).slice(0, 32));
const places = names.map((name) => Number(bucket(name, fleet.bundle, fleet.salt)));
assert.equal(sha256(places.map((place) => `${place}\n`).join('')), fleet.sha256);
assert.equal(places.filter((place) => place < 3000).length, fleet.inRollout);
for (const range of ranges) {
  // An installation in the bucket of the row, found by trying.
  let number = 0;
  while (Number(bucket(`${number}`, 'com.example.Counter', 'k3v9')) !== range.bucket) number++;
  const document = { bundleIdentifier: 'com.example.Counter', salt: 'k3v9', candidates: [range] };
  assert.equal(choose(document, `${number}`) !== undefined, range.has, JSON.stringify(range));
}

for (const { files, content } of table('digests').rows) {
  const listed = files.map(({ path, text }) => ({ path, size: Buffer.byteLength(text), sha256: sha256(text) }));
  assert.equal(contentDigest(listed), content);
}

for (const { about, steps } of table('outcomes').rows) {
  const memory = { noted: {}, waiting: [] };
  for (const { take: taken, count, note: outcome, release, content, contents, day, until = day, reason } of steps) {
    if (taken) assert.deepEqual(take(memory), taken, about);
    else if (count) assert.equal(take(memory).length, count, about);
    const report = { release, channel: 'stable', outcome, ...(reason && { reason }) };
    for (let now = day; outcome && now <= until; now++) {
      for (let number = 0; number < (contents ?? 1); number++) note(memory, report, content + (contents ? number : ''), now);
    }
  }
}

// A server of the archive notes the ranges that the host asks for.
const parts = table('ranges');
const archive = Buffer.from(parts.archive, 'base64');
const size = 1 << 20;
const asked = [];
const server = http.createServer((request, answer) => {
  asked.push(request.headers.range);
  const [first, last] = request.headers.range.match(/\d+/g).map(Number);
  answer.writeHead(206, { ETag: request.headers['if-range'], 'Content-Range': `bytes ${first}-${last}/${size}` });
  answer.end(archive.subarray(first, last + 1));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const address = new URL(`http://127.0.0.1:${server.address().port}/`);
for (const { file, range, text } of parts.rows) {
  asked.length = 0;
  const files = await delta({ size, files: [file] }, address, '"sha256-a"', new Map());
  assert.deepEqual(asked, range ? [range] : []);
  assert.equal(`${files.get(file.path)}`, text);
}
server.close();

// Outcomes leave the state before they are sent, and are sent once, also to a registry that fails or is away.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outcomes-'));
const report = { release: '1.0~1', channel: 'stable', outcome: 'installed' };
const waiting = () => JSON.parse(fs.readFileSync(path.join(folder, 'state.json'))).outcomes.waiting;
const received = [];
let status = 202;
const counting = http.createServer(async (request, answer) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()));
  received.push([request.method, request.url, request.headers['content-type'], body, waiting()]);
  if (status) answer.writeHead(status).end();
  else request.socket.destroy();
});
await new Promise((done) => counting.listen(0, '127.0.0.1', done));
const reporting = () => Object.assign(Object.create(ReportingHost.prototype), {
  folder, registry: `http://127.0.0.1:${counting.address()?.port ?? 9}`, options: { widget: 'com.example.Counter-1', channel: 'stable' },
});
const send = async (host, times) => {
  await host.locked((state) => { state.outcomes = { noted: {}, waiting: [report] }; });
  for (let time = 0; time < times; time++) await host.report();
  assert.deepEqual(waiting(), []);
};
// A status of 0 is a connection that ends without an answer.
for (status of [202, 500, 0]) {
  received.length = 0;
  await send(reporting(), 2);
  const wanted = ['POST', '/v1/widgets/com.example.Counter-1/outcomes', 'application/json', { outcomes: [report] }, []];
  assert.deepEqual(received, [wanted], `${status}`);
}
const host = reporting();
await new Promise((done) => counting.close(done));
await send(host, 1);
fs.rmSync(folder, { recursive: true });

// Each call reports at its end, also one that fails; a host that watches does not wait for it.
for (const name of ['update', 'start', 'confirm', 'reject']) {
  const before = Host.prototype[name];
  for (const failure of [undefined, new Error('refused')]) {
    const sent = [];
    Host.prototype[name] = async () => { if (failure) throw failure; };
    const caller = Object.assign(reporting(), { report: async () => sent.push(name), reportLater: () => sent.push('later') });
    const call = () => caller[name]().catch((error) => assert.equal(error, failure));
    await call();
    assert.deepEqual(sent, [name]);
    caller.isWatching = true;
    await call();
    assert.deepEqual(sent, [name, 'later']);
  }
  Host.prototype[name] = before;
}
console.log('vectors: the functions of the host for node agree with the rules');
