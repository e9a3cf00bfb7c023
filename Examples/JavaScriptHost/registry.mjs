// A registry as a host meets it: its documents, its archives and its feed. Every answer is verified.
import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { LIMIT, Refused, check, parse, texts, unpack, within } from './formats.mjs';

export const sha256 = (data) => createHash('sha256').update(data).digest('hex');

// The network

/** An answer before its body. Three redirects are followed, at the same origin. */
async function open(address, headers, timeout = 20_000, signal = undefined) {
  let url = new URL(address);
  for (let hop = 0; hop < 4; hop++) {
    const answer = await new Promise((done, failed) => {
      const client = url.protocol === 'https:' ? https : http;
      const request = client.get(url, { headers, agent: false, timeout, signal }, done).on('error', failed);
      request.on('timeout', () => request.destroy(new Error('the registry is silent')));
    });
    if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return answer;
    answer.on('error', () => {}).destroy();
    const target = within('redirectRefused', () => new URL(answer.headers.location ?? '', url));
    check(target.origin === url.origin, 'redirectedElsewhere', target);
    url = target;
  }
  throw new Refused('redirectRefused', url);
}

export async function get(url, headers = {}, limit = 8 << 20) {
  try {
    // As slow as 1 KiB a second, and no slower.
    const answer = await open(url, headers, 20_000, AbortSignal.timeout(30_000 + limit));
    const parts = [];
    let length = 0;
    for await (const part of answer) {
      parts.push(part);
      if ((length += part.length) > limit) break;
    }
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) };
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('transfer', error.message);
  }
}

// Documents

function integer(value, first = 0n, end = 1n << 63n) {
  check(typeof value === 'bigint' && value >= first && value < end, 'contradiction', `number ${value}`);
  return value;
}

function word(value, pattern) {
  check(typeof value === 'string' && pattern.test(value), 'contradiction', `text ${value}`);
  return value;
}

export const HEX = /^[0-9a-f]{64}$/;
const IDENTIFIER = /^(?=.{1,155}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/;
const RELEASE = /^[0-9A-Za-z._+-]{1,64}~[0-9A-Za-z._+-]{1,64}$/;

/** The order of the bytes in UTF-8, which is not that of texts in JavaScript. */
const byBytes = (one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));

export function contentDigest(files) {
  return sha256([...files].sort(byBytes).map((file) => `${file.path}\0${file.size}\0${file.sha256}\n`).join(''));
}

/** The document, if its statements can be true together. */
export function checked(document, widget, channel) {
  check(document?.constructor === undefined && document, 'malformedDocument', 'it is not an object');
  check(document.widgetIdentifier === widget, 'contradiction', 'another widget');
  check(document.channel === channel, 'contradiction', 'another channel');
  word(document.bundleIdentifier, IDENTIFIER), word(document.salt, /^/), integer(document.sequence, 1n);
  check(Array.isArray(document.candidates) && document.candidates.length <= 16, 'contradiction', 'candidates');
  const taken = [];
  for (const one of document.candidates) {
    check(Array.isArray(one?.buckets) && one.buckets.length === 2, 'contradiction', 'buckets');
    const [first, end] = [integer(one.buckets[0], 0n, 10_000n), integer(one.buckets[1], 1n, 10_001n)];
    check(first < end && taken.every((other) => end <= other[0] || other[1] <= first), 'contradiction', 'buckets');
    taken.push([first, end]);
    word(one.release, RELEASE), word(one.sha256, HEX), word(one.content, HEX), word(one.url, /^[!-[\]-~]+$/);
    word(one.name, /^(?!\.{1,2}$)[^/\\\0-\x1f]{1,200}$/);
    one.size = Number(integer(one.size, 1n, BigInt(LIMIT) + 1n));
    check(Array.isArray(one.files) && one.files.length, 'contradiction', 'files');
    let [place, expanded] = [0n, 0n];
    for (const [number, file] of one.files.entries()) {
      check(typeof file?.path === 'string', 'contradiction', 'a file');
      expanded += integer(file.size, 0n, BigInt(LIMIT) + 1n), word(file.sha256, HEX);
      place = integer(file.offset, place) + integer(file.compressedSize);
      check(place <= one.size && (!number || byBytes(one.files[number - 1], file) < 0), 'contradiction', 'files');
      for (const name of ['size', 'offset', 'compressedSize']) file[name] = Number(file[name]);
    }
    check(expanded <= 4 * LIMIT && contentDigest(one.files) === one.content, 'contradiction', 'its files');
  }
  return document;
}

export function bucket(installation, bundle, salt) {
  const digest = createHash('sha256').update(`${installation}\n${bundle}\n${salt}`).digest();
  return digest.readBigUInt64BE() % 10_000n;
}

/** The candidate for an installation. The first number of its buckets belongs to them, the second does not. */
export function choose(document, installation) {
  const mine = bucket(installation, document.bundleIdentifier, document.salt);
  return document.candidates.find((one) => one.buckets[0] <= mine && mine < one.buckets[1]);
}

// Bundles

const PROGRAM = /^(7f454c46|2321|504b0[35]0[46]|4d5a|c[ef]faedfe|feedfac[ef]|cafebabe)/;
const KINDS = /\.(json|plist|strings|stringsdict|nib|mom|omo|car|png|jpe?g|gif|heic|webp|ttf|otf)$/i;

/** The rules for the files of a bundle, its identity, and its content digest. */
function verify(files, document, candidate) {
  const [names, folders] = [new Set(), new Set()];
  for (const [file, data] of files) {
    const parts = file.split('/');
    const folded = parts.map((_, n) => parts.slice(0, n + 1).join('/').normalize('NFC').toUpperCase().toLowerCase());
    const name = folded.pop();
    check(parts.length <= 16 && !/[\\\0-\x1f]|^\w:/.test(file), 'bundle', file);
    check(parts.every((part) => part && !part.startsWith('.')), 'bundle', file);
    check(!names.has(name) && !folders.has(name) && !folded.some((folder) => names.has(folder)), 'bundle', file);
    names.add(name), folded.forEach((folder) => folders.add(folder));
    check(KINDS.test(file) && !PROGRAM.test(data.toString('hex', 0, 4)), 'bundle', file);
    if (/\.json$/i.test(file)) check(within('bundle', () => parse(data) !== undefined), 'bundle', file);
  }
  check(files.has('Info.plist'), 'bundle', 'Info.plist is missing');
  const info = texts(files.get('Info.plist'));
  const found = `${info.CFBundleShortVersionString ?? '1.0'}~${info.CFBundleVersion ?? '1'}`;
  check(info.CFBundleIdentifier === document.bundleIdentifier, 'wrongIdentity', info.CFBundleIdentifier);
  // On a snapshot channel the content digest is part of the release.
  check([found, `${found}+${candidate.content.slice(0, 12)}`].includes(candidate.release), 'wrongIdentity', found);
  check(contentOf(files) === candidate.content, 'wrongContent');
}

export const contentOf = (files) =>
  contentDigest([...files].map(([name, data]) => ({ path: name, size: data.length, sha256: sha256(data) })));

/** The address of an archive: a path of the contract is below the registry's, and any other is resolved against it. */
export function archiveAddress(registry, url) {
  const address = within('foreignAddress', () => (url.startsWith('/v1/') ? new URL(registry + url) : new URL(url, `${registry}/`)));
  const isOurs = address.origin === new URL(registry).origin && !address.username && !address.password;
  check(isOurs, 'foreignAddress', address);
  return address;
}

/** The files of a release: those that are not `here` as ranges of the archive, else all from the whole. */
export async function fetchFiles(registry, document, candidate, here) {
  const address = archiveAddress(registry, candidate.url);
  const tag = `"sha256-${candidate.sha256}"`;
  try {
    const files = await delta(candidate, address, tag, here);
    verify(files, document, candidate);
    return files;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  const { status, headers, body } = await get(address, {}, candidate.size);
  check(status === 200, [404, 410].includes(status) ? 'archiveGone' : 'status', status);
  check(headers.etag === tag, 'transfer', 'the entity tag');
  check(body.length === candidate.size, 'wrongSize', body.length);
  check(sha256(body) === candidate.sha256, 'wrongDigest');
  const files = unpack(body, candidate.name);
  verify(files, document, candidate);
  return files;
}

/** The files, of which those that are not here are asked for as ranges of the archive. */
export async function delta(candidate, address, tag, here) {
  const found = new Map([...here, [sha256(''), Buffer.alloc(0)]]);
  const missing = candidate.files.filter((file) => !found.has(file.sha256));
  const cost = missing.reduce((sum, file) => sum + file.compressedSize + 300, 0);
  check(cost < candidate.size && missing.every((file) => file.compressedSize), 'wrongSize');
  for (const { offset, compressedSize: length, size, method, sha256: digest } of missing) {
    const range = `${offset}-${offset + length - 1}`;
    const { status, headers, body } = await get(address, { Range: `bytes=${range}`, 'If-Range': tag }, length);
    const isRight = headers.etag === tag && headers['content-range'] === `bytes ${range}/${candidate.size}`;
    check(status === 206 && isRight && body.length === length, 'transfer', 'a range');
    // Raw deflate, without the header of zlib.
    const inflated = () => inflateRawSync(body, { maxOutputLength: size || 1 });
    const plain = method === 'deflate' ? within('wrongDigest', inflated) : body;
    check(sha256(plain) === digest, 'wrongDigest');
    found.set(digest, plain);
  }
  return new Map(candidate.files.map((file) => [file.path, found.get(file.sha256)]));
}

// The feed

/** The changes that concern a widget, from the newest on: so it begins before the registry is asked for the release. */
export class Feed {
  constructor(registry, widget) {
    this.address = `${registry}/v1/changes?widget=${widget}`;
    this.widget = widget;
    this.wait = 1000;
  }

  /** Asks for the newest tag. A registry that does not know `latest` is followed from the first change on. */
  async begin() {
    if (this.tag !== undefined) return;
    try {
      const { status, body } = await get(`${this.address}&since=latest`);
      if (status === 200) this.tag = parse(body).next?.toString();
      if (status === 400) this.tag = '0';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** Ends after a change or a growing pause, at a random moment, so that the hosts of a feed do not ask all at once. */
  async next() {
    const isChanged = await this.follow().catch(() => false);
    this.wait = isChanged ? 1000 : Math.min(this.wait * 2, 300_000);
    await pause(this.wait * (1 + Math.random()));
  }

  /** True for a change of a bundle that the widget can be of. Other events are passed over. */
  concerns(data) {
    try {
      const { bundleIdentifier } = parse(Buffer.from(data ?? ''));
      return typeof bundleIdentifier === 'string' && this.widget.startsWith(bundleIdentifier);
    } catch {
      return false;
    }
  }

  /** Reads events until one of the widget's; false if the feed ends, or is silent for 45 seconds. */
  async follow() {
    const headers = { Accept: 'text/event-stream', ...(this.tag && { 'Last-Event-ID': this.tag }) };
    const answer = await open(this.address, headers, 45_000);
    let rest = '';
    try {
      if (answer.statusCode === 400) this.tag = undefined;
      if (answer.statusCode !== 200) return false;
      for await (const part of answer.setEncoding('utf8')) {
        // The feed is alive: a pause that has grown is over.
        this.wait = 500;
        const events = (rest + part).replaceAll('\r\n', '\n').split('\n\n');
        rest = events.pop();
        check(rest.length < 65_536, 'malformedDocument', 'an event');
        let isOurs = false;
        for (const event of events) {
          const field = (name) => event.split('\n').find((line) => line.startsWith(name))?.slice(name.length).trim();
          isOurs ||= this.concerns(field('data:'));
          // An event is over when it was read to its end, not before.
          this.tag = field('id:') || this.tag;
        }
        if (isOurs) return true;
      }
      return false;
    } finally {
      answer.on('error', () => {}).destroy();
    }
  }
}
