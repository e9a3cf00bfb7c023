// A registry, or a static copy of one, as this host meets it. Every answer is verified, and refused for a reason that is a word of
// the contract's vectors.

const hostLimits = { document: 8 << 20, archive: 64 << 20, files: 256 << 20, failed: 100 }

class Refusal extends Error {
  constructor(reason, detail = '') {
    // A sentence says it; a number or an address says it with the reason.
    super(/\s/.test(detail) ? detail : detail ? `${reason}: ${detail}` : reason)
    this.reason = reason
  }
}

function must(isTrue, reason, detail) {
  if (!isTrue) throw new Refusal(reason, detail)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Strict JSON: UTF-8, each member once, no half of a character. Integers are BigInt: sequences have up to 63 bits. */
function strictJSON(bytes) {
  try {
    const text = utf8.decode(bytes)
    JSON.parse(text)
    // The text is JSON. Its tokens say what JSON.parse does not: members that are there twice, and exact integers.
    const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g)
    let next = 0
    const value = () => {
      const token = tokens[next++]
      if (token == '[' || token == '{') {
        const found = token == '[' ? [] : Object.create(null)
        for (; tokens[next] != ']' && tokens[next] != '}'; next += tokens[next] == ',' ? 1 : 0) {
          const name = token == '[' ? found.length : value()
          next += token == '[' ? 0 : 1
          must(!(name in found), 'malformedDocument', 'a member is there twice')
          found[name] = value()
        }
        next++
        return found
      }
      const plain = JSON.parse(token)
      must(typeof plain != 'string' || !/\p{Surrogate}/u.test(plain), 'malformedDocument', 'a text has half of a character')
      return /^-?\d{1,20}$/.test(token) ? BigInt(token) : plain
    }
    return value()
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('malformedDocument', error.message)
  }
}

// Answers

/** The whole of an answer. Its address may be another one, of the same origin unless that is allowed. */
async function fetched(address, { headers = {}, limit = hostLimits.document, isAnywhere = false, send = fetch, signal } = {}) {
  // A registry that is closed to readers knows those who have signed in, on its own pages alone.
  const settings = { headers, credentials: 'same-origin', referrerPolicy: 'no-referrer', cache: 'no-cache', signal }
  let answer
  try {
    answer = await send(address, settings)
  } catch (error) {
    // A browser does not say why there is no answer. One that would lead elsewhere is known by asking again.
    const other = await send(address, { ...settings, redirect: 'manual' }).catch(() => undefined)
    const [reason, detail] = other?.type == 'opaqueredirect'
      ? ['redirectedElsewhere', `${address} leads elsewhere`]
      : ['transfer', `${address} gives no answer (${error.message}): it is away, or does not let `
        + `${location.origin} read it, or connect-src of this page does not name it`]
    throw new Refusal(reason, detail)
  }
  must(isAnywhere || !answer.redirected || new URL(answer.url).origin == new URL(address).origin, 'redirectedElsewhere', answer.url)
  try {
    return { status: answer.status, headers: answer.headers, body: await bodyOf(answer, limit) ?? new Uint8Array(limit + 1) }
  } catch (error) {
    throw new Refusal('transfer', `the answer of ${address} has broken off: ${error.message}`)
  }
}

/** The bytes of an answer; nothing if there are more than wanted. */
async function bodyOf(answer, limit) {
  const parts = []
  let length = 0
  const reader = answer.body?.getReader()
  for (let part; reader && !(part = await reader.read()).done;) {
    parts.push(part.value)
    if ((length += part.value.length) > limit) {
      await reader.cancel()
      return undefined
    }
  }
  return joined(parts)
}

function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    bytes.set(part, place)
    place += part.length
  }
  return bytes
}

// Documents

const patterns = {
  digest: /^[0-9a-f]{64}$/,
  identifier: /^(?=.{1,155}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
  release: /^[0-9A-Za-z._+-]{1,64}~[0-9A-Za-z._+-]{1,64}$/,
  address: /^[!-[\]-~]+$/,
  name: /^(?!\.{1,2}$)[^/\\\0-\x1f]{1,200}$/,
}

function whole(value, first = 0n, end = 1n << 63n) {
  must(typeof value == 'bigint' && value >= first && value < end, 'contradiction', `the number ${value}`)
  return value
}

function word(value, pattern) {
  must(typeof value == 'string' && pattern.test(value), 'contradiction', `the text ${value}`)
  return value
}

/** The order of the bytes in UTF-8, which is not that of texts in JavaScript. */
function byBytes({ path: one }, { path: other }) {
  const [left, right] = [encoder.encode(one), encoder.encode(other)]
  const place = left.findIndex((byte, index) => byte != right[index])
  return place < 0 ? left.length - right.length : left[place] - (right[place] ?? -1)
}

/** The bytes whose digest is that of the contents of these files. */
function contentText(files) {
  return encoder.encode([...files].sort(byBytes).map((file) => `${file.path}\0${file.size}\0${file.sha256}\n`).join(''))
}

/** The document, if its statements can be true together. */
async function checkedDocument(document, { widget, channel }, sha256) {
  must(document && typeof document == 'object' && !Array.isArray(document), 'malformedDocument', 'it is not an object')
  must(document.widgetIdentifier == widget, 'contradiction', 'it is about another widget')
  must(document.channel == channel, 'contradiction', 'it is about another channel')
  word(document.bundleIdentifier, patterns.identifier)
  word(document.salt, /^/)
  whole(document.sequence, 1n)
  const { candidates } = document
  must(Array.isArray(candidates) && candidates.length <= 16, 'contradiction', 'candidates')
  const taken = []
  for (const one of candidates) {
    must(Array.isArray(one?.buckets) && one.buckets.length == 2, 'contradiction', 'buckets')
    const [first, end] = [whole(one.buckets[0], 0n, 10_000n), whole(one.buckets[1], 1n, 10_001n)]
    must(first < end && taken.every((other) => end <= other[0] || other[1] <= first), 'contradiction', 'buckets')
    taken.push([first, end])
    await checkCandidate(one, sha256)
  }
  return document
}

async function checkCandidate(one, sha256) {
  word(one.release, patterns.release)
  for (const name of ['sha256', 'content']) word(one[name], patterns.digest)
  word(one.url, patterns.address)
  word(one.name, patterns.name)
  one.size = Number(whole(one.size, 1n, BigInt(hostLimits.archive) + 1n))
  must(Array.isArray(one.files) && one.files.length, 'contradiction', 'files')
  let [place, expanded] = [0n, 0n]
  for (const [number, file] of one.files.entries()) {
    must(typeof file?.path == 'string', 'contradiction', 'a file')
    expanded += whole(file.size, 0n, BigInt(hostLimits.archive) + 1n)
    word(file.sha256, patterns.digest)
    place = whole(file.offset, place) + whole(file.compressedSize)
    must(place <= one.size && (!number || byBytes(one.files[number - 1], file) < 0), 'contradiction', 'files')
    for (const name of ['size', 'offset', 'compressedSize']) file[name] = Number(file[name])
  }
  must(expanded <= hostLimits.files && await sha256(contentText(one.files)) == one.content, 'contradiction', 'the files of a candidate')
}

/** The candidate for an installation. The first number of its buckets belongs to them, the second does not. */
async function chosen({ candidates, bundleIdentifier, salt }, installation, sha256) {
  const digest = await sha256(encoder.encode(`${installation}\n${bundleIdentifier}\n${salt}`))
  const mine = BigInt(`0x${digest.slice(0, 16)}`) % 10_000n
  return candidates.find((one) => one.buckets[0] <= mine && mine < one.buckets[1])
}

// Archives

/** The address of a candidate's archive, which is at the registry. */
function archiveAddress(registry, { url }) {
  // A path of the contract is below the registry's, which may have one itself.
  const parts = [url.startsWith('/v1/') ? registry + url : url, `${registry}/`]
  must(URL.canParse(...parts), 'foreignAddress', url)
  const address = new URL(...parts)
  must(address.origin == new URL(registry).origin && !address.username && !address.password, 'foreignAddress', url)
  return address
}

/** The whole archive of a candidate. */
async function wholeArchive(candidate, address, { sha256, get }) {
  const { status, headers, body } = await get(address, { limit: candidate.size, isAnywhere: true })
  must(status == 200, status == 404 || status == 410 ? 'archiveGone' : 'status', `${address} answers ${status}`)
  const tag = headers.get('ETag')
  must(tag == `"sha256-${candidate.sha256}"`, 'transfer', `${address} has another entity tag`)
  must(body.length == candidate.size, 'wrongSize', body.length)
  must(await sha256(body) == candidate.sha256, 'wrongDigest')
  return { bytes: body, files: candidate.files }
}

const emptyState = () => ({ releases: {}, seen: {}, failed: [], withdrawn: {} })

/** A registry, and what this browser has of one of its widgets. */
class RegistryHost {
  /**
   * - registry: its address; the documents lie below it.
   * - judge: the identity and the content of an archive, as the engine finds them.
   */
  constructor({ registry, widget, channel = 'stable', pin, address, store, judge, sha256, send }) {
    Object.assign(this, { registry, widget, channel, pin, address, store, judge, sha256, send })
    this.get = (address, options = {}) => fetched(address, { ...options, send })
    /** Contents whose archives were proven since this was made. */
    this.sound = new Set()
    this.key = `widget ${registry} ${widget} ${channel}`
  }

  /** Calls a function with the state of the widget, which is kept afterwards also where it fails. */
  async changed(body) {
    let result, failure
    await this.store.change(this.key, async (kept) => {
      const state = kept ?? emptyState()
      try {
        result = await body(state)
      } catch (error) {
        failure = error
      }
      return state
    })
    if (failure) throw failure
    return result
  }

  /** Calls a function with the state of the widget, which is not changed. */
  async looked(body) { return body(await this.store.get('state', this.key) ?? emptyState()) }

  /** The archive of a release, if it is here and as it was. */
  async intact(state, content) {
    if (!content || !state.releases[content]) return undefined
    const bytes = await this.store.archive(content)
    if (!bytes || this.sound.has(content)) return bytes
    const judged = await this.judge(bytes).catch(() => undefined)
    if (judged?.content != content) return undefined
    this.sound.add(content)
    return bytes
  }

  async kept(state) {
    for (const content of [state.current, state.confirmed]) if (await this.intact(state, content)) return content
    return undefined
  }

  end(state, end, content, reason) {
    return { end, release: state.releases[content]?.release ?? null, content, ...(reason && { reason }) }
  }

  // Updates

  /**
   * Asks the registry, and takes what it offers.
   *
   * Other tabs wait for a change of the state and not for a network: what is decided is decided twice, first with the answers as
   * they come, and then alone, with the same answers and the state as it is then.
   */
  async update() {
    const answers = new Map()
    const ask = this.get
    const once = (address, options) => {
      const key = `${address} ${options?.headers?.Range ?? ''}`
      if (!answers.has(key)) answers.set(key, ask(address, options))
      return answers.get(key)
    }
    const kept = await this.looked((state) => structuredClone(state))
    await this.decided(kept, once)
    return this.changed((state) => this.decided(state, once))
  }

  async decided(state, get) {
    try {
      const document = await this.resolved(state, get)
      const candidate = await this.candidate(document)
      if (candidate && !state.failed.includes(candidate.content)) return await this.taken(state, document, candidate, get)
      this.obey(state)
      const kept = await this.kept(state)
      must(kept, candidate ? 'startFailed' : 'nothingOffered')
      return this.end(state, 'same', kept)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isForbidden = ['stopped', 'nothingToStart'].includes(error.reason)
      const kept = isForbidden ? undefined : await this.kept(state)
      return { ...this.end(state, 'failed', kept, error.reason), message: error.message }
    }
  }

  async candidate(document) {
    this.installation ??= await this.store.installation()
    return chosen(document, this.installation, this.sha256)
  }

  /** The document. Its list of withdrawals replaces the one from before. */
  async resolved(state, get) {
    const address = new URL(this.address ?? `${this.registry}/v1/widgets/${this.widget}`)
    address.searchParams.set('channel', this.channel)
    if (this.pin) address.searchParams.set('pin', this.pin)
    const { status, body } = await get(address)
    if (status == 410) {
      this.withdraw(state, strictJSON(body).withdrawn)
      this.obey(state)
      throw new Refusal('withdrawn')
    }
    must(status != 409, 'pinMismatch')
    must(status == 200, 'status', status)
    const document = await checkedDocument(strictJSON(body), this, this.sha256)
    await this.trust(state, document)
    this.withdraw(state, document.withdrawn)
    return document
  }

  withdraw(state, releases = []) {
    must(Array.isArray(releases) && releases.every((one) => patterns.digest.test(one?.content)), 'malformedDocument', 'withdrawn')
    state.withdrawn = Object.fromEntries(releases.map((one) => [one.content, String(one.directive)]))
  }

  /** Fails where nothing is offered in place of a release that must not be shown. */
  obey(state) {
    const reason = { stop: 'stopped', builtIn: 'nothingToStart' }[state.withdrawn[state.current]]
    if (reason) throw new Refusal(reason)
  }

  question(document) { return `${document.bundleIdentifier} ${this.channel}` }

  /** The bundle may answer, and its channel does not go back. */
  async trust(state, document) {
    const { bundleIdentifier: bundle, sequence } = document
    const known = state.releases[state.current]?.bundle
    must(this.widget.startsWith(bundle), 'foreignBundle', bundle)
    must(!this.pin || this.pin == bundle, 'pinMismatch', bundle)
    must(this.pin || !known || known == bundle || !bundle.startsWith(known), 'anotherBundle', bundle)
    const [seen, content] = state.seen[this.question(document)] ?? ['0', null]
    must(sequence >= BigInt(seen), 'staleSequence', sequence)
    must(sequence < BigInt(seen) + (1n << 32n), 'sequenceJump', sequence)
    const candidate = await this.candidate(document)
    must(sequence != BigInt(seen) || !content || candidate?.content == content, 'sequenceRewritten', sequence)
    if (!candidate) state.seen[this.question(document)] = [`${sequence}`, null]
  }

  async taken(state, document, candidate, get) {
    const { content, release, name } = candidate
    const isHere = await this.intact(state, content)
    if (!isHere) {
      const { bytes, files } = await this.brought(state, document, candidate, get).catch((error) => {
        if (!['transfer', 'status'].includes(error.reason)) this.note(state, content, 'not-installed', error.reason, candidate)
        throw error
      })
      await this.store.keepArchive(content, bytes)
      state.releases[content] = { bundle: document.bundleIdentifier, release, name, files }
      this.note(state, content, 'installed')
    }
    Object.assign(state.releases[content], { release, isMandatory: document.mandatory === true })
    const isNew = state.current != content
    state.seen[this.question(document)] = [`${document.sequence}`, content]
    // The release before stays, so that going back needs no network.
    const kept = [content, state.current, state.confirmed, state.started, state.trial]
    for (const old of Object.keys(state.releases)) if (!kept.includes(old)) delete state.releases[old]
    state.current = content
    return this.end(state, isNew ? 'new' : 'same', content)
  }

  /** The archive of a candidate, proven: from files that are here and ranges for the others where that is less, else whole. */
  async brought(state, document, candidate, get) {
    const address = archiveAddress(this.registry, candidate)
    try {
      // Whatever is wrong with what is here, the whole can be fetched.
      const made = await assembled(candidate, await this.held(state), address, { sha256: this.sha256, get })
      if (made) return await this.proven(made, document, candidate)
    } catch {}
    return this.proven(await wholeArchive(candidate, address, { sha256: this.sha256, get }), document, candidate)
  }

  async proven(archive, document, { content, release, name }) {
    const judged = await this.judge(archive.bytes).catch((fault) => { throw new Refusal('bundle', fault.message) })
    must(judged.identifier == document.bundleIdentifier, 'wrongIdentity', judged.identifier)
    const releases = [judged.release, `${judged.release}+${content.slice(0, 12)}`]
    must(releases.includes(release) && judged.name == name, 'wrongIdentity', `${judged.name} ${judged.release}`)
    must(judged.content == content, 'wrongContent')
    this.sound.add(content)
    return archive
  }

  /** The files of all releases that are here, as they are packed. */
  async held(state) {
    const found = new Map()
    for (const [content, { files = [] }] of Object.entries(state.releases)) {
      const bytes = files.length && await this.intact(state, content)
      if (!bytes) continue
      for (const { sha256: digest, size, method, offset, compressedSize } of files) {
        if (compressedSize) found.set(digest, { size, method, packed: bytes.subarray(offset, offset + compressedSize) })
      }
    }
    return found
  }

  // Starts

  /** Chooses a release that is here, and notes it until it is confirmed. One that was noted before and not confirmed has failed. */
  start() {
    return this.changed(async (state) => {
      // Another tab or element may have it on trial now.
      if (state.trial && !(await this.isTried(state.trial))) this.fail(state, state.trial, 'went-back', 'unconfirmed')
      const directive = state.withdrawn[state.current]
      if (directive == 'stop') return this.end(state, 'stopped')
      const content = directive == 'builtIn' ? undefined : await this.kept(state)
      if (!content) return this.end(state, 'nothing')
      state.started = content
      this.note(state, content, 'started')
      state.trial = state.confirmed == content ? null : content
      if (state.trial) await this.hold(content)
      return { ...this.end(state, 'started', content), bytes: await this.store.archive(content) }
    })
  }

  fail(state, content, outcome, reason) {
    this.note(state, content, outcome, reason)
    state.failed = [...state.failed.filter((one) => one != content), content].slice(-hostLimits.failed)
    state.trial = null
    if (state.confirmed == content) state.confirmed = null
    if (state.current == content) state.current = state.confirmed
  }

  // Outcomes, for a registry that counts them

  /** Notes an outcome once for a release, and a start once a day. After a clock was ahead by days, starts are noted again from tomorrow on. */
  note(state, content, outcome, reason, { release } = state.releases[content] ?? {}) {
    if (!this.reports || !release) return
    const letter = 'isc'.includes(outcome[0]) ? outcome[0] : 'f'
    const day = letter == 's' ? Math.floor(Date.now() / 864e5) : 0
    const { [content + letter]: last, ...noted } = state.noted ?? {}
    const isNew = !(last >= day)
    state.noted = Object.fromEntries([...Object.entries(noted), [content + letter, isNew || last > day + 1 ? day : last]].slice(-128))
    if (!isNew) return
    state.waiting = [...state.waiting ?? [], { release, channel: this.channel, outcome, reason }].slice(-16)
    setTimeout(() => this.report(), Math.random() * 6e4)
  }

  /** Sends what waits. It leaves the state before, and is not sent again. */
  async report() {
    const outcomes = await this.changed((state) => state.waiting?.splice(0))
    if (!outcomes?.length) return
    const [address, body] = [`${this.registry}/v1/widgets/${this.widget}/outcomes`, JSON.stringify({ outcomes })]
    // It continues when the page has gone, as a beacon does; but beacons always carry cookies, which name a person.
    fetch(address, { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => {})
  }

  // A trial is under way while a page holds its lock, which the browser lets go with the page. A frame in a page of another site may
  // have no locks; it keeps nothing either.

  trialName(content) { return `widget-view trial ${this.key} ${content}` }

  async isTried(content) {
    const { held = [] } = (await self.navigator?.locks?.query().catch(() => undefined)) ?? {}
    return held.some(({ name }) => name == this.trialName(content))
  }

  hold(content) {
    if (!self.navigator?.locks) return undefined
    return new Promise((done) => {
      navigator.locks.request(this.trialName(content), { mode: 'shared' }, () => {
        done()
        return new Promise((end) => { this.release = end })
      }).catch(done)
    })
  }

  letGo() {
    this.release?.()
    this.release = undefined
  }

  /** The start was given up, and the release is not to blame. */
  forgive() {
    this.letGo()
    return this.changed((state) => { state.trial = null })
  }

  confirm() {
    this.letGo()
    return this.changed((state) => {
      state.confirmed = state.trial ?? state.confirmed
      state.trial = null
      this.note(state, state.confirmed, 'confirmed')
      return this.end(state, 'confirmed', state.confirmed)
    })
  }

  /** What was started does not run here. */
  reject() {
    this.letGo()
    return this.changed((state) => {
      if (state.trial) this.fail(state, state.trial, 'rejected', 'unusable')
      return this.end(state, 'rejected', state.current)
    })
  }
}
