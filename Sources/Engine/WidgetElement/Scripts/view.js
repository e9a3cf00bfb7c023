// What a widget shows: it runs in a worker, and its page is in the shadow root of an element.

/** The attributes by which a widget has its place on the page; a change of another one begins it anew. */
const placeNames = ['scheme', 'dir', 'text-size']
/** A widget that ends twice within so many milliseconds stays ended. */
const secondFault = 60_000

/** The reader's language. A browser on a bare system names `C`. */
const usualLanguage = () => (/^[a-z]{2,3}(-|$)/i.test(navigator.language) ? navigator.language : 'en')

/** Languages, and scripts that decide before them, that are read from right to left: as the engine has them. */
const rightToLeft = ['ar', 'arc', 'ckb', 'dv', 'fa', 'glk', 'he', 'ks', 'lrc', 'mzn', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi']
const rightToLeftScripts = ['adlm', 'arab', 'hebr', 'mand', 'nkoo', 'rohg', 'samr', 'syrc', 'thaa']

const types = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', svg: 'image/svg+xml' }

const elementSheet = new CSSStyleSheet()
elementSheet.replaceSync(':host{display:block;height:40em;max-height:100dvh}'
  + '.page{all:initial;display:block;box-sizing:border-box;width:100%;height:100%;position:relative;color-scheme:light dark;'
  + '--widget-scale:1;--widget-rem:calc(16px*var(--widget-scale));--track:initial}'
  + '.page[data-scheme=light]{color-scheme:light}.page[data-scheme=dark]{color-scheme:dark}'
  + '.fault{font:1em/1.4 system-ui,sans-serif;margin:0;padding:1em}')

const sheetOf = (text) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

/** Calls when an element is in the window, or less than a window away: a page may have many. */
function whenNear(host, signal, act) {
  const watch = new IntersectionObserver((found) => {
    if (!found.some(({ isIntersecting }) => isIntersecting)) return
    watch.disconnect()
    act()
  }, { rootMargin: '100%' })
  watch.observe(host)
  signal.addEventListener('abort', () => watch.disconnect())
}

/** A widget in an element: from `start` until `stop`, and again. */
class LocalView {
  /** - outside: what the page does for the widget; an ``Outside``, or the messages to one. */
  constructor(host, outside) {
    Object.assign(this, { host, outside })
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    if (!this.root.firstChild) this.root.append(document.createElement('slot'))
    this.root.adoptedStyleSheets = [elementSheet]
    this.pictures = new Map()
    this.turns = Promise.resolve()
  }

  attribute(name) { return this.host.getAttribute(name) ?? undefined }

  tell(kind, detail) { this.outside.tell(kind, detail) }

  // Life

  start() {
    if (this.life) return this.page?.moved()
    this.life = new AbortController()
    this.watchPlace()
    // A frame has its page's word that it is near.
    if (this.isNear) this.begin()
    else whenNear(this.host, this.life.signal, () => this.begin())
  }

  stop() {
    this.life?.abort()
    this.life = this.round = undefined
    this.close()
  }

  /** Ends the instance, and leaves what it shows. */
  close() {
    clearTimeout(this.alarm)
    this.pageLife?.abort()
    this.pageLife = this.page = undefined
    this.desk?.drop(this.number)
    this.desk = undefined
    this.outside.leave()
    for (const address of this.pictures.values()) URL.revokeObjectURL(address)
    this.pictures.clear()
  }

  /** Attributes that change begin the widget anew, or give it another place; its box is another place, too. */
  watchPlace() {
    const { signal } = this.life
    this.outside.listen?.(signal)
    const attributes = new MutationObserver((changes) => {
      // One that has not begun begins as its attributes are then.
      if (!this.round) return
      if (changes.some(({ attributeName: name }) => !placeNames.includes(name))) this.again()
      else this.show()
    })
    attributes.observe(this.host, { attributes: true, attributeFilter: attributeNames.slice(2) })
    const boxes = new ResizeObserver(() => this.shownIn != this.settings().viewport && this.show())
    boxes.observe(this.host)
    signal.addEventListener('abort', () => (attributes.disconnect(), boxes.disconnect()))
    this.outside.back = (depth) => this.act(Date.now(), ['back', depth])
  }

  again() {
    this.close()
    return this.begin()
  }

  async begin() {
    const round = (this.round = {})
    const isOver = () => this.round != round || !this.life
    // What the one before has said last is kept before it is read.
    await this.turns
    await this.saving
    if (isOver()) return
    try {
      // The engine comes beside the archive; what keeps it away is said where it is needed.
      this.outside.desk().catch(() => {})
      const found = await this.outside.find()
      if (isOver()) return
      this.isRelease = found.release !== undefined
      this.number = ++EngineDesk.lastWidget
      this.desk = await this.outside.desk()
      if (!isOver()) await this.open(found, isOver)
    } catch (error) {
      if (isOver()) return
      // Another widget has ended the worker that this one was about to begin in.
      this.tries = (this.tries ?? 0) + 1
      if (error.isOwn === false && this.tries < 4) return this.again()
      // A release that cannot be opened gives way to the one before.
      if (error.isOwn && this.isRelease && this.tries < 2) {
        this.tell('report', { code: error.code, message: error.message })
        await this.outside.reject()
        return this.again()
      }
      this.refuse(error)
    }
  }

  // The instance

  ask(calls, shows, budget) { return this.desk.ask({ widget: this.number, calls, shows }, budget) }

  /** What the widget is made of, and why each value is as it is: the document of the call `look`. */
  async inspect(moment) {
    if (!this.page) return undefined
    const { results: [{ pieces }] } = await this.ask([['look', { moment }]])
    return JSON.parse(decoder.decode(pieces[0]))
  }

  now() { return EngineWidget.moment() + (this.clockShift ?? 0) }

  settings() {
    const { width, height } = this.host.getBoundingClientRect()
    const side = (length, usual) => Math.min(Math.max(Math.round(length) || usual, 1), 10_000)
    const found = {
      viewport: `${side(width, 375)}x${side(height, 667)}@${Math.min(Math.max(Math.round(devicePixelRatio), 1), 3)}`,
      locale: (this.attribute('locale') ?? usualLanguage()).replace(/-u-.*$/, '').replaceAll('-', '_').slice(0, 32),
      now: this.now(),
    }
    for (const name of ['scheme', 'dir', 'text-size', 'screen']) if (this.attribute(name)) found[name] = this.attribute(name)
    return found
  }

  async open({ archive, identifier, release, values, kept }, isOver) {
    this.values = values
    const clock = this.attribute('clock')
    this.clockShift = clock ? EngineWidget.moment(new Date(clock)) - EngineWidget.moment() : 0
    const zone = this.attribute('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const settings = this.settings()
    if (clock) settings.clock = clock
    if (this.attribute('stubs') !== undefined) settings.stubs = true
    if (release) settings['widget-id'] = identifier
    const files = { archive, zone: zoneFile(zone), records: kept.records && JSON.stringify(kept.records) }
    if (!files.zone) this.tell('report', { code: 'unknown-zone', message: `This browser knows no zone ${zone}.` })
    const calls = [['open', settings, files], ['recall', { changes: kept.cache }], ['start', { now: this.now() }]]
    const link = this.attribute('link')
    if (link) calls.push(['link', { link, now: this.now() }])
    const answer = await this.ask(calls, 'page', budgets.open)
    this.save(values, answer)
    if (isOver()) return
    this.shownIn = settings.viewport
    this.first(answer)
    const [{ identifier: bundle, content }] = answer.results
    this.tell('ready', { identifier: release ? identifier : bundle, release, content })
    this.tries = 0
    await this.outside.confirm()
  }

  /** The first view, in place of what the page had there. */
  first(answer) {
    const { root } = this
    const frame = document.createElement('div')
    frame.className = 'page'
    this.dress(frame)
    this.own = sheetOf('')
    root.adoptedStyleSheets = [elementSheet, ...answer.sheets.map((sheet) => sheetOf(sheet)), this.own]
    this.put(frame, answer)
    this.pageLife?.abort()
    this.pageLife = new AbortController()
    root.replaceChildren(frame)
    this.page = pageIn(root, {
      sheet: this.own,
      begin: () => this.again(),
      act: (letter, serial, event) => this.act(serial, event),
      pick: (letter, form) => this.pick(form),
      arrange: () => {},
    })
    this.page.start(this.pageLife.signal)
    this.after(answer)
  }

  /** What the browser has to know of the place. */
  dress(frame) {
    const { locale } = this.settings()
    frame.lang = locale.replaceAll('_', '-')
    const [language, ...rest] = locale.toLowerCase().split('_')
    const script = rest.find((part) => /^[a-z]{4}$/.test(part))
    const isMirrored = script ? rightToLeftScripts.includes(script) : rightToLeft.includes(language)
    frame.dir = this.attribute('dir') ?? (isMirrored ? 'rtl' : 'ltr')
    frame.dataset.scheme = this.attribute('scheme') ?? ''
  }

  put(frame, { html, sheet, title, pictures, mark }) {
    this.keep(pictures)
    this.own.replaceSync(this.addressed(sheet, mark))
    frame.replaceChildren(parse(this.addressed(html, mark)))
    this.titled(title)
  }

  titled(title) {
    if (title == this.title) return
    this.tell('title', (this.title = title))
  }

  /** Keeps what has changed before it is shown. What could not be kept is tried again with the next change. */
  save(values, { unsaved, cacheChanges = [] }) {
    const late = this.late?.values == values ? this.late : {}
    const records = [...(late.records ?? []), ...(unsaved?.records ?? [])]
    const settings = late.settings || unsaved?.settings ? { ...late.settings, ...unsaved?.settings } : undefined
    const changes = [...(late.cacheChanges ?? []), ...cacheChanges]
    this.late = undefined
    if (!records.length && !settings && !changes.length) return
    this.saving = this.outside.keep(values, { records, settings }, changes).catch((fault) => {
      this.late = { values, records, settings, cacheChanges: changes }
      this.tell('report', { code: 'not-kept', message: fault.message })
    })
  }

  keep(pictures) {
    for (const [name, bytes] of Object.entries(pictures ?? {})) {
      const type = types[name.split('.').pop()] ?? 'application/octet-stream'
      this.pictures.set(name, URL.createObjectURL(new Blob([bytes], { type })))
    }
  }

  /** Pictures by the addresses that they have in this page. */
  addressed(text, mark) {
    const [first, ...parts] = text.split(mark)
    return first + parts.map((part) => part.replace(/^[\w.-]*/, (name) => this.pictures.get(name) ?? 'data:,')).join('')
  }

  // Turns

  /** Carries out calls, one turn after the other, and shows what has come of them. */
  turn(calls, serial) {
    const { round, values } = this
    this.turns = this.turns.then(async () => {
      if (this.round != round || !this.page) return
      try {
        const answer = await this.ask(calls.map(([name, settings, files]) => [name, { ...settings, now: this.now() }, files]), 'changes')
        this.save(values, answer)
        if (this.round != round || !this.page) return
        this.keep(answer.pictures)
        const operations = JSON.parse(this.addressed(answer.operations, answer.mark))
        // Titles are told here, so that a frame's page hears of them, too: when the screen can be closed again.
        const told = operations.map(([kind, one, other]) => (kind == 't' ? one : kind == 'w' && other)).findLast(Boolean)
        const others = operations.filter(([kind]) => kind != 't').map((one) => (one[0] == 'w' ? one.slice(0, 2) : one))
        if (serial) others.push(['e', serial])
        this.page.apply({ a: others })
        this.after(answer)
        if (told) this.titled(told)
      } catch (fault) {
        if (this.round == round) this.ended(fault)
      }
    })
    return this.turns
  }

  act(serial, event) {
    return this.turn([['act', {}, { batch: JSON.stringify([serial, [event]]) }]], serial)
  }

  async pick(form) {
    for (const [key, file] of new FormData(form)) {
      if (!(file instanceof File) || !file.size) continue
      this.turn([['pick', { key, name: file.name }, { file: new Uint8Array(await file.arrayBuffer()) }]])
    }
  }

  /** Another place on the page: the widget is laid out anew. */
  show() {
    if (!this.page || this.isAskedToShow) return
    this.isAskedToShow = true
    const { round, values } = this
    this.turns = this.turns.then(async () => {
      this.isAskedToShow = false
      if (this.round != round || !this.page) return
      const settings = this.settings()
      const answer = await this.ask([['show', settings]], 'page')
      this.save(values, answer)
      if (this.round != round || !this.page) return
      this.dress(one('.page', this.root))
      this.keep(answer.pictures)
      this.own.replaceSync(this.addressed(answer.sheet, answer.mark))
      // As another screen: what was typed, the focus and the places of lists stay, also while a phone's keyboard takes room.
      const screen = one('.w', parse(this.addressed(answer.html, answer.mark)))
      this.page.forget()
      this.page.apply({ a: [['c', {}], ['w', screen.outerHTML]] })
      this.titled(answer.title)
      this.after(answer)
      if (this.shownIn != settings.viewport) this.tell('resize', (this.shownIn = settings.viewport))
    }).catch((fault) => { if (this.round == round) this.ended(fault) })
  }

  /** What a turn leaves to do: requests, wishes, values, and the moment of the next one. */
  after({ next, requests, wishes, results }) {
    const { depth } = results.findLast((one) => 'depth' in one) ?? {}
    if (depth !== undefined) this.outside.visit(depth)
    for (const { notices = [], fault } of results) {
      if (fault) this.tell('report', fault)
      for (const message of notices) this.tell('report', { code: 'notice', message })
    }
    for (const request of requests) this.carry(request)
    for (const wish of wishes) {
      if ('open' in wish) this.tell('open', wish.open)
      else this.tell('call', { ...wish.call, argument: wish.argument })
    }
    clearTimeout(this.alarm)
    if (next !== undefined) this.alarm = setTimeout(() => this.turn([['tick']]), Math.min(Math.max((next - this.now()) * 1000, 0), 1 << 30))
  }

  async carry({ number, ...request }) {
    const { round } = this
    const { body, ...answer } = await this.outside.carry(request).catch((error) => ({ failure: error.message, sent: true }))
    if (this.round == round) this.turn([['answer', { ...answer, number }, body && { body }]])
  }

  /** The instance has ended. It begins anew, with what was typed; when that ends soon, too, its element says so. */
  ended(fault) {
    const typed = this.page
    // What has no culprit is this one's fault, too.
    const isOwn = fault.isOwn !== false
    const isSecond = Date.now() - this.faultAt < secondFault
    if (!isOwn || !isSecond) {
      if (isOwn) this.faultAt = Date.now()
      this.close()
      this.tell('report', { code: fault.code, message: fault.message })
      return this.begin().then(() => this.page && typed?.repeat(true))
    }
    this.outside.reject()
    this.close()
    this.tell('fault', { code: fault.code, message: fault.message, hints: [] })
    say(this.host, fault.message)
  }

  /** Nothing can be shown. What the page has put into the element stays, or a sentence comes. */
  refuse(error) {
    const code = error.reason ?? error.code ?? 'failed'
    // Settings have the names of options, which are those of the attributes.
    const message = code == 'misuse' ? error.message.replace(/^--/, 'The attribute ') : error.message
    const { round } = this
    this.close()
    this.tell('fault', { code, message, hints: error.hints ?? [] })
    say(this.host, message)
    againOnline(this.life.signal, () => this.round == round && this.again())
  }
}

/** Without a network: once there is one. */
function againOnline(signal, act) {
  if (!navigator.onLine) addEventListener('online', act, { once: true, signal })
}

/** A sentence in an element whose page has put nothing there. */
function say(host, message) {
  const slot = document.createElement('slot')
  const sentence = document.createElement('p')
  Object.assign(sentence, { className: 'fault', role: 'alert', textContent: message })
  // The fallback of a slot shows where the page has put nothing.
  slot.append(sentence)
  // Blanks between the tags are nothing that a page has put there.
  if (!host.textContent.trim() && !host.children.length) slot.name = 'none'
  host.shadowRoot.adoptedStyleSheets = [elementSheet]
  host.shadowRoot.replaceChildren(slot)
}
