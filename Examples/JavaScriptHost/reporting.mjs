#!/usr/bin/env node
// The host for node, and what its app has to do to report outcomes: the registry counts them by release, channel and day.
//
//     reporting.mjs update|start|confirm|reject|watch …, with the options of host.mjs
//
// docs/outcomes.md says what is sent, and Tests/Contract/vectors/rules/outcomes.json has the rule as data.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { pathToFileURL } from 'node:url';
import { Refused } from './formats.mjs';
import { Host, main } from './host.mjs';

// Why a release counts as not installed. A lost connection does not count.
const REASONS = [
  'archiveGone', 'wrongSize', 'wrongDigest', 'wrongContent', 'wrongIdentity', 'bundle', 'foreignAddress',
  'redirectedElsewhere', 'redirectRefused',
];

/** Notes an outcome once for a release, and a start once a day. It leaves the memory before it is sent. */
export function note(memory, report, content, today) {
  const letter = 'isc'.includes(report.outcome[0]) ? report.outcome[0] : 'f';
  const [day, key] = [letter === 's' ? today : 0, content + letter];
  const { [key]: last, ...others } = memory.noted;
  const isNew = last === undefined || last < day;
  // After a clock was ahead by days, starts are noted again from tomorrow on.
  const kept = isNew || last > day + 1 ? day : last;
  memory.noted = Object.fromEntries([...Object.entries(others), [key, kept]].slice(-128));
  if (isNew) memory.waiting = [...memory.waiting, report].slice(-16);
}

/** What is to be sent, and is not here any more. */
export const take = (memory) => memory.waiting.splice(0);

/** Each call sends at its end what is waiting; a host that watches sends it within a minute. */
export class ReportingHost extends Host {
  note(outcome, content, reason, release = this.state.releases[content]?.release) {
    const memory = (this.state.outcomes ??= { noted: {}, waiting: [] });
    const report = { release, channel: this.options.channel, outcome, ...(reason && { reason }) };
    note(memory, report, content, Math.floor(Date.now() / 86_400_000));
  }

  // What happens, within the lock of the state

  async take(document, candidate) {
    const { content, release } = candidate;
    const isHere = this.files(content) !== null;
    try {
      const line = await super.take(document, candidate);
      if (!isHere) this.note('installed', content);
      return line;
    } catch (error) {
      if (error instanceof Refused && REASONS.includes(error.reason)) {
        this.note('not-installed', content, error.reason, release);
      }
      throw error;
    }
  }

  end(end, content, reason) {
    if (content && ['started', 'confirmed'].includes(end)) this.note(end, content);
    return super.end(end, content, reason);
  }

  fail(content) {
    if (content) this.note(...(this.isRejecting ? ['rejected', content, 'app'] : ['went-back', content, 'unconfirmed']));
    super.fail(content);
  }

  // Calls, each of which reports at its end

  async reporting(call) {
    try {
      return await call();
    } finally {
      if (this.isWatching) this.reportLater();
      else await this.report();
    }
  }

  update() {
    return this.reporting(() => super.update());
  }

  start() {
    return this.reporting(() => super.start());
  }

  confirm() {
    return this.reporting(() => super.confirm());
  }

  reject() {
    this.isRejecting = true;
    return this.reporting(() => super.reject());
  }

  watch() {
    this.isWatching = true;
    return super.watch();
  }

  // Sending

  /** A random moment of the next minute, so that a release does not bring all hosts at once. */
  reportLater() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.report().catch(() => {});
    }, Math.random() * 60_000).unref();
  }

  async report() {
    const taken = await this.locked((state) => (state.outcomes ? take(state.outcomes) : []));
    if (!taken.length) return;
    const url = new URL(`${this.registry}/v1/widgets/${this.options.widget}/outcomes`);
    const client = url.protocol === 'https:' ? https : http;
    const body = JSON.stringify({ outcomes: taken });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    // A host that cannot send goes on as before; nothing is sent again.
    await new Promise((done) => {
      const request = client.request(url, { method: 'POST', headers, agent: false, timeout: 20_000 }, (answer) => {
        answer.on('error', done).on('close', done).resume();
      });
      request.on('timeout', () => request.destroy()).on('error', done).end(body);
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) await main(ReportingHost);
