#!/usr/bin/env node
// Compares the functions of the host for node with the tables under `rules`.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { bucket, choose, contentDigest, sha256 } from '../../../Examples/JavaScriptHost/registry.mjs';

const table = (name) => JSON.parse(fs.readFileSync(new URL(`rules/${name}.json`, import.meta.url)));

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

const parts = table('ranges');
const archive = Buffer.from(parts.archive, 'base64');
for (const { file, range, text } of parts.rows) {
  const end = file.offset + file.compressedSize;
  assert.equal(file.compressedSize ? `bytes=${file.offset}-${end - 1}` : null, range);
  const data = archive.subarray(file.offset, end);
  assert.equal(`${file.method === 'deflate' ? inflateRawSync(data) : data}`, text);
}
console.log('vectors: the functions of the host for node agree with the rules');
