#!/usr/bin/env node
// Compares the functions of the host for node with the tables under `rules`.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { note, take } from '../../../Examples/JavaScriptHost/reporting.mjs';
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
console.log('vectors: the functions of the host for node agree with the rules');
