// What a widget's page does for it: it fetches engine and archive, keeps records, and sends what is granted. A widget in a frame
// without an origin asks for all of that by messages.

/** The attributes of an element. */
const attributeNames = ['src', 'sandbox', 'channel', 'pin', 'grant', 'engine', 'locale', 'zone', 'clock', 'scheme', 'dir', 'text-size',
  'history', 'instance', 'keep', 'stubs', 'screen', 'link', 'outcomes']
/** The most bytes of an answer to a widget's request. */
const answerLimit = 8 << 20
/** Milliseconds that a release which is here waits for a newer one. */
const patience = 1_500

/** The registry and the widget of the address of a document, as registries and static copies have it. */
function registryOf(address) {
  const { origin, pathname, searchParams } = new URL(address)
  const found = /^(.*)\/v1\/widgets\/([^/]+)$/.exec(pathname)
  if (!found) return undefined
  return { registry: origin + found[1], widget: decodeURIComponent(found[2]), channel: searchParams.get('channel') }
}

class Outside {
  constructor(host) {
    this.host = host
    this.number = ++EngineDesk.lastWidget
    this.leaving = new AbortController()
    /** Those of the widgets that were shown here, in their order. */
    this.values = []
    /** Where what is kept ends with the page. */
    this.passing = new BrowserStore()
  }

  /** Listens to the window for as long as the element is in its page. */
  listen(signal) {
    addEventListener('popstate', ({ state }) => this.visited(state), { signal })
    addEventListener('pagehide', () => this.trial && leaveTrial(this.trial.key), { signal })
  }

  attribute(name) { return this.host.getAttribute(name) ?? undefined }

  tell(kind, detail) {
    // A page may follow it without a look at it.
    if (kind == 'open' && URL.canParse(detail) && /^(\w*script|data|blob|file):/.test(new URL(detail))) {
      return this.tell('report', { code: kind, message: detail })
    }
    this.host.dispatchEvent(new CustomEvent(kind, { detail, cancelable: kind == 'open' }))
  }

  get store() { return this.attribute('keep') == 'page' ? this.passing : BrowserStore.shared }

  get engineAddress() { return new URL(this.attribute('engine') ?? engineName, import.meta.url).href }

  /** The bytes of the engine, for a frame, which may fetch nothing. */
  async engine() {
    const answer = await EngineDesk.answer(this.engineAddress)
    return answer.arrayBuffer()
  }

  leave() {
    // A start that is given up has not failed.
    if (this.trial) this.trial.forgive().catch(() => {})
    this.round = this.release = this.trial = this.depth = undefined
    this.leaving.abort()
    this.leaving = new AbortController()
    this.seated?.then((desk) => (desk.drop(this.number), desk.leave()), () => {})
    this.seated = undefined
  }

  /** The worker of the element. Another one comes in the place of one that has ended. */
  async desk() {
    const desk = await (this.seated ??= EngineDesk.module(this.engineAddress).then((module) => EngineDesk.seat(module)))
    if (!desk.fault) return desk
    this.seated = undefined
    return this.desk()
  }

  /** A call to an engine that has no widget: a proof, or whether an address is granted. */
  async ask(call, settings, files) {
    const desk = await this.desk()
    const [result] = (await desk.ask({ widget: this.number, calls: [[call, settings, files]] }, budgets.open)).results
    if (result.fault) throw new EngineFault(result.fault.code, result.fault.message, result.fault.hints)
    return result
  }

  // Sources

  /** The archive to show, and what was kept of its widget. */
  async find() {
    const round = (this.round = {})
    const address = new URL(this.attribute('src') ?? '', this.host.baseURI).href
    const known = registryOf(address)
    const found = known ? await this.released(known, address, round) : await this.fetched(address)
    this.still(round)
    const name = this.attribute('instance') ?? found.identifier
    const { store } = this
    if (store != this.passing && !(await store.opened)) this.tell('report', { code: 'not-kept', message: 'This browser keeps nothing for this page.' })
    // What a widget says late is kept where that widget's values are, and not where those of the next are.
    const values = this.values.push(new KeptValues(store, `${found.from} ${name}`)) - 1
    return { ...found, values, kept: await this.values[values].load(this.leaving.signal) }
  }

  /** Fails where another search has begun meanwhile: what one finds is not for the next. */
  still(round) { if (this.round != round) throw new EngineFault('abandoned', 'Another widget is wanted meanwhile.') }

  /** An archive from an address that is not a registry's. Without a network it is the one that came from there last. */
  async fetched(address) {
    const whole = address.split('#')[0]
    // A name that is a digest changes with each release, and its folder stays.
    const from = whole.replace(/[0-9a-f]{64}\.zip$/, '')
    const { store } = this
    const key = `archive ${whole}`
    let body
    try {
      const answer = await fetched(address, { limit: hostLimits.archive, isAnywhere: true })
      must(answer.status == 200, 'status', `${address} answers ${answer.status}`)
      body = answer.body
    } catch (error) {
      const known = await store.get('state', key).catch(() => undefined)
      const kept = known && await store.archive(known.content)
      if (error.reason != 'transfer' || !kept) throw error
      return { archive: kept, identifier: known.identifier, from }
    }
    must(body[0] == 0x50 && body[1] == 0x4b, 'bundle', `${address} is no archive and no /v1/widgets/ID`)
    const content = await digestOf(body)
    const known = await store.get('state', key).catch(() => undefined)
    if (known?.content == content) {
      store.keepArchive(content, body).catch(() => {})
      return { archive: body, identifier: known.identifier, from }
    }
    // Archives that people have made are taken as a registry takes them.
    const { identifier } = await this.ask('prove', {}, { archive: body }).catch(() => this.ask('open', {}, { archive: body }))
    ;(await this.desk()).drop(this.number)
    await store.keepArchive(content, body).catch(() => {})
    await store.set('state', key, { content, identifier }).catch(() => {})
    return { archive: body, identifier, from }
  }

  /** A release of a registry: the newest, or the one that is here if there is no network. */
  async released(known, address, round) {
    const host = new RegistryHost({
      ...known, channel: this.attribute('channel') ?? known.channel ?? 'stable', pin: this.attribute('pin'), address,
      store: this.store, judge: (archive) => this.ask('prove', {}, { archive }), sha256: digestOf,
    })
    host.reports = this.attribute('outcomes') !== undefined
    // What the page before has left.
    if (host.reports) host.report()
    await returnFromTrial(host)
    const update = host.update().catch((error) => ({ reason: 'failed', message: error.message }))
    const isHere = await host.looked((state) => host.kept(state))
    const answer = await (isHere ? Promise.race([update, pause(patience)]) : update)
    this.still(round)
    const started = await host.start()
    if (started.end != 'started') {
      throw new Refusal(answer?.reason ?? started.end, answer?.message ?? 'there is no release to show')
    }
    if (this.round != round) await host.forgive()
    this.still(round)
    this.release = this.trial = host
    return { archive: started.bytes, from: known.registry, identifier: known.widget, release: started.release }
  }

  async confirm() {
    await this.release?.confirm()
    this.trial = undefined
  }

  async reject() {
    await this.release?.reject()
    this.trial = undefined
  }

  // History

  /** The screens of a widget with the attribute `history` are in the browser's, by how often a reader can go back from each. */
  async visit(depth) {
    if (!Number.isInteger(depth) || depth < 0 || depth > 100) return
    this.depth = depth
    if (this.attribute('history') === undefined || this.leads) return
    const now = history.state?.widgetView
    const state = (widgetView) => ({ ...history.state, widgetView })
    if (depth < now) {
      this.leads = true
      history.go(depth - now)
      return
    }
    try {
      if (now === undefined) history.replaceState(state(0), '')
      for (let next = (now ?? 0) + 1; next <= Math.min(depth, 100); next++) history.pushState(state(next), '')
    } catch {
      // Browsers refuse too many entries.
    }
  }

  /** The reader has gone back or forward. A screen that was closed is not opened again. */
  visited(state) {
    if (state?.widgetView === undefined || this.attribute('history') === undefined) return
    if (!this.leads && state.widgetView < this.depth) {
      this.back?.(state.widgetView)
      return
    }
    this.leads = false
    this.visit(this.depth)
  }

  /** Closes the screen that was opened last; false if there is none. */
  closeScreen() { return this.depth > 0 && (this.back(--this.depth), true) }

  // Values and requests

  /** Keeps what has changed; a frame's words are copied as JSON, which is all that they can be. */
  async keep(values, unsaved, cacheChanges) {
    const changes = JSON.parse(JSON.stringify({ unsaved, cacheChanges }))
    await this.values[values].save(changes.unsaved, changes.cacheChanges)
  }

  get grants() {
    return (this.attribute('grant') ?? '').split(/\s+/).filter((one) => one && one != '*').map((one) => grant(new URL(one, this.host.baseURI)))
  }

  /** A request without an answer, of which the page hears as well: the widget need not say so. */
  failed(failure, sent) {
    this.tell('report', { code: 'request', message: failure })
    return { failure, sent }
  }

  /** Carries out a widget's request, if it is granted. */
  async carry({ method, url: address, headers, body, type, reserved }) {
    if (reserved) return { failure: `no widget may set the header ${reserved}` }
    let url
    try {
      url = new URL(address)
    } catch {
      return { failure: `${address} is not an address` }
    }
    // What the page answers itself, it can also decide itself.
    const granted = (this.host.request && this.attribute('grant') == '*')
      || (await this.ask('granted', { grants: this.grants, url: grant(url) })).granted
    if (!granted) return this.failed(`${url.origin}${url.pathname} is not granted by the attribute grant`)
    const fields = new Headers(headers)
    if (type) fields.set('Content-Type', type)
    const hasBody = body?.length && method != 'GET' && method != 'HEAD'
    const settings = {
      method, headers: fields, body: hasBody ? body : undefined, credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer',
      signal: this.leaving.signal,
    }
    try {
      const answer = await (this.host.request ?? fetch)(url.href, settings)
      const read = await bodyOf(answer, answerLimit)
      if (!read) return { failure: `the answer of ${url.origin} is longer than ${answerLimit >> 20} MB`, sent: true }
      const retry = Number(answer.headers.get('Retry-After'))
      return { status: answer.status, body: read, ...(retry > 0 && { retry: Math.ceil(retry) }) }
    } catch (error) {
      // Browsers do not say why, and a page that answers itself may.
      const own = this.host.request && !(error instanceof TypeError) && error.message
      return this.failed(`the ${own ? 'page' : 'browser'} gives no answer of ${url.origin}: `
        + (own || `it is away, leads elsewhere, or does not let ${location.origin} read it`), true)
    }
  }
}

const pause = (time) => new Promise((done) => setTimeout(done, time))

/** The digest of bytes in hexadecimal digits. */
async function digestOf(bytes) {
  return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

// A reader who leaves while a release is on trial has not seen it fail.

function leaveTrial(key) {
  try {
    localStorage.setItem(`widget-view left ${key}`, '1')
  } catch {}
}

async function returnFromTrial(host) {
  const name = `widget-view left ${host.key}`
  try {
    if (!localStorage.getItem(name)) return
    localStorage.removeItem(name)
  } catch {
    return
  }
  await host.forgive()
}
