#!/usr/bin/env node
// A host for node, without packages: it fetches, verifies, starts and watches the releases of one widget.
//
//     host.mjs update|start|confirm|reject|watch --registry URL --cache FOLDER --widget ID
//         [--channel NAME] [--pin BUNDLE] [--built-in BUNDLE] [--installation NAME] [--then confirm|reject]
//
// Each command prints a line of JSON: `end`, `release`, `path`, and `reason` if an update has failed. It follows
// docs/hosting.md and docs/http.md, and passes the vectors under Tests/Contract/vectors. The lock needs Linux.
//
// This file is the cache and the starts; registry.mjs is the contract; formats.mjs reads formats that node does not.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Refused, check, parse } from './formats.mjs';
import { Feed, HEX, checked, choose, contentOf, fetchFiles, get, sha256 } from './registry.mjs';

/** One process at a time: an abstract socket, which the kernel closes with its process. Others wait for that. */
async function locked(name, body) {
  for (;;) {
    const waiting = new Set();
    const server = net.createServer((socket) => waiting.add(socket.on('error', () => {})));
    const failure = await new Promise((done) => server.once('error', done).listen({ path: `\0${name}` }, done));
    if (!failure) {
      try {
        return await body();
      } finally {
        server.close();
        waiting.forEach((socket) => socket.destroy());
      }
    }
    if (failure.code !== 'EADDRINUSE') throw failure;
    await new Promise((done) => net.connect({ path: `\0${name}` }).on('error', done).on('close', done).resume());
  }
}

const EMPTY = { current: null, confirmed: null, started: null, trial: null, failed: [], withdrawn: {} };

/** The cache of one widget, and its registry. */
export class Host {
  constructor(options) {
    this.options = options;
    this.registry = options.registry.replace(/\/+$/, '');
    this.folder = path.join(options.cache, 'widgets', options.widget);
    fs.mkdirSync(this.folder, { recursive: true });
    const name = path.join(options.cache, 'installation');
    if (options.installation || !fs.existsSync(name)) {
      fs.writeFileSync(name, options.installation ?? randomBytes(16).toString('hex'));
    }
    this.installation = fs.readFileSync(name, 'utf8').replace(/\n$/, '');
  }

  /** Calls a function with the state, which is written afterwards. */
  locked(body) {
    const [file, staged] = [path.join(this.folder, 'state.json'), path.join(this.folder, '.state.json')];
    return locked(`widget ${sha256(fs.realpathSync(this.folder))}`, async () => {
      const isFirst = !fs.existsSync(file);
      this.state = isFirst ? { ...EMPTY, releases: {}, seen: {} } : JSON.parse(fs.readFileSync(file, 'utf8'));
      const result = await body(this.state);
      fs.writeFileSync(staged, JSON.stringify(this.state));
      fs.renameSync(staged, file);
      return result;
    });
  }

  path(content) {
    return path.join(this.folder, content, `${this.state.releases[content].name}.bundle`);
  }

  /** The files of a release, or null if they are not here or damaged. */
  files(content) {
    try {
      const names = this.state.releases[content].files;
      const files = new Map(names.map((name) => [name, fs.readFileSync(path.join(this.path(content), name))]));
      return contentOf(files) === content ? files : null;
    } catch {
      return null;
    }
  }

  /** The release that may be shown: the current one, or the one that was confirmed last if its files are damaged. */
  intact() {
    return [this.state.current, this.state.confirmed].find((content) => content && this.files(content));
  }

  /** All files that are here, by their digests. */
  here() {
    const found = Object.keys(this.state.releases).flatMap((content) => [...(this.files(content)?.values() ?? [])]);
    return new Map(found.map((data) => [sha256(data), data]));
  }

  end(end, content, reason) {
    const known = this.state.releases[content];
    return { end, release: known?.release ?? null, path: known ? this.path(content) : null, ...(reason && { reason }) };
  }

  // Updates

  update() {
    return this.locked(async (state) => {
      try {
        const document = await this.resolve();
        const candidate = choose(document, this.installation);
        if (candidate && !state.failed.includes(candidate.content)) return await this.take(document, candidate);
        this.obey();
        const kept = this.intact();
        check(kept, candidate ? 'startFailed' : 'nothingOffered');
        return this.end('same', kept);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const isForbidden = ['stopped', 'nothingToStart'].includes(error.reason);
        return this.end('failed', isForbidden ? null : this.intact(), error.reason);
      }
    });
  }

  /** The document. Its list of withdrawals replaces the one from before. */
  async resolve() {
    const { channel, pin, widget } = this.options;
    const query = new URLSearchParams(pin ? { channel, pin } : { channel });
    const answer = await get(`${this.registry}/v1/widgets/${widget}?${query}`);
    if (answer.status === 410) {
      this.withdraw(parse(answer.body).withdrawn);
      this.obey();
      throw new Refused('withdrawn');
    }
    check(answer.status !== 409, 'pinMismatch');
    check(answer.status === 200, 'status', answer.status);
    const document = checked(parse(answer.body), widget, channel);
    this.trust(document);
    this.withdraw(document.withdrawn);
    return document;
  }

  withdraw(releases = []) {
    check(Array.isArray(releases) && releases.every((one) => HEX.test(one?.content)), 'malformedDocument', 'withdrawn');
    this.state.withdrawn = Object.fromEntries(releases.map((one) => [one.content, String(one.directive)]));
  }

  /** Fails where nothing is offered in place of a release that must not be shown. */
  obey() {
    const reason = { stop: 'stopped', builtIn: 'nothingToStart' }[this.state.withdrawn[this.state.current]];
    if (reason) throw new Refused(reason);
  }

  question(document) {
    return `${this.registry} ${document.bundleIdentifier} ${this.options.channel}`;
  }

  /** The bundle may answer, and its channel does not go back. */
  trust(document) {
    const { bundleIdentifier: bundle, sequence } = document;
    const { pin, widget } = this.options;
    const known = this.state.releases[this.state.current]?.bundle;
    check(widget.startsWith(bundle), 'foreignBundle', bundle);
    check(!pin || pin === bundle, 'pinMismatch', bundle);
    check(pin || !known || known === bundle || !bundle.startsWith(known), 'anotherBundle', bundle);
    const [seen, content] = this.state.seen[this.question(document)] ?? ['0', null];
    check(sequence >= BigInt(seen), 'staleSequence', sequence);
    check(sequence <= BigInt(seen) + (1n << 32n), 'sequenceJump', sequence);
    const candidate = choose(document, this.installation);
    const isSeen = sequence === BigInt(seen) && content;
    check(!isSeen || candidate?.content === content, 'sequenceRewritten', sequence);
    if (!candidate) this.state.seen[this.question(document)] = [`${sequence}`, null];
  }

  async take(document, candidate) {
    const { state } = this;
    const { content, name, release } = candidate;
    const isHere = this.files(content) !== null;
    if (!isHere) {
      const files = await fetchFiles(this.registry, document, candidate, this.here());
      const [staged, target] = [path.join(this.folder, '.staged'), path.join(this.folder, content)];
      for (const folder of [staged, target]) fs.rmSync(folder, { recursive: true, force: true });
      for (const [file, data] of files) {
        const place = path.join(staged, `${name}.bundle`, file);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        fs.writeFileSync(place, data);
      }
      fs.renameSync(staged, target);
      state.releases[content] = { release, name, bundle: document.bundleIdentifier, files: [...files.keys()] };
    }
    state.seen[this.question(document)] = [`${document.sequence}`, content];
    const isNew = state.current !== content || !isHere;
    // The release before stays, so that going back needs no network.
    const kept = [content, state.current, state.confirmed, state.trial, state.started];
    for (const other of Object.keys(state.releases).filter((one) => !kept.includes(one))) {
      fs.rmSync(path.join(this.folder, other), { recursive: true, force: true });
      delete state.releases[other];
    }
    state.current = content;
    return this.end(isNew ? 'new' : 'same', content);
  }

  // Starts

  start() {
    return this.locked((state) => {
      if (state.trial) this.fail(state.trial);
      state.started = null;
      for (const content of [state.current, state.confirmed].filter((one) => one !== null)) {
        const directive = state.withdrawn[content];
        if (directive === 'stop') return this.end('stopped');
        if (directive === 'builtIn') break;
        if (this.files(content) === null) continue;
        state.started = content;
        state.trial = content === state.confirmed ? null : content;
        return this.end('started', content);
      }
      const spare = this.options['built-in'];
      return { end: spare ? 'builtIn' : 'nothing', release: null, path: spare ?? null };
    });
  }

  fail(content) {
    const { state } = this;
    if (content) state.failed = [...state.failed.filter((one) => one !== content), content].slice(-100);
    state.trial = null;
    if (state.confirmed === content) state.confirmed = null;
    if (state.current === content) state.current = state.confirmed;
  }

  confirm() {
    return this.locked((state) => {
      state.confirmed = state.trial ?? state.confirmed;
      state.trial = null;
      return this.end('confirmed', state.confirmed);
    });
  }

  reject() {
    return this.locked((state) => {
      this.fail(state.trial ?? state.started);
      return this.end('rejected', state.current);
    });
  }

  // Watching

  /** The start, and each end of an update that is news; never ends. The app is to confirm or reject what it starts. */
  async *watch() {
    let last = await this.start();
    yield last;
    await this.confirm();
    const feed = new Feed(this.registry, this.options.widget);
    for (;;) {
      await feed.begin();
      const line = await this.update();
      if (line.end !== 'same' && (line.end !== last.end || line.release !== last.release)) {
        yield (last = line);
        if (line.end === 'new' || ['stopped', 'nothingToStart'].includes(line.reason)) {
          yield await this.start();
          await this.confirm();
        }
      }
      await feed.next();
    }
  }
}

export async function main(kind = Host) {
  const names = ['registry', 'cache', 'widget', 'channel', 'pin', 'built-in', 'installation', 'then'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command] = positionals;
  const isUsed = ['update', 'start', 'confirm', 'reject', 'watch'].includes(command);
  if (!isUsed || !values.registry || !values.cache || !values.widget) {
    console.error('usage: host.mjs update|start|confirm|reject|watch --registry URL --cache FOLDER --widget ID');
    process.exit(2);
  }
  const host = new kind({ channel: 'stable', ...values });
  if (command === 'watch') {
    for await (const line of host.watch()) console.log(JSON.stringify(line));
  }
  const line = await host[command]();
  if (command === 'start' && ['confirm', 'reject'].includes(values.then)) await host[values.then]();
  console.log(JSON.stringify(line));
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) await main();
